"""The ways in which sources back a value that none of them states as it is, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable

from proofing.support.ages import by_age
from proofing.support.bare_ages import by_bare_age
from proofing.support.base import Judgement
from proofing.support.between import by_days_between, by_hours_between
from proofing.support.birth_years import by_birth_year
from proofing.support.extras import by_extra
from proofing.support.following import by_bound, by_century, by_conversion, by_joined_dates, by_rate, by_rounding
from proofing.support.hour_words import by_hours
from proofing.support.ledger import Ledger
from proofing.support.notations import by_bare_figure, by_label, by_parted_unit, by_ratio, by_release
from proofing.support.per_what import by_other_period
from proofing.support.places import Place
from proofing.support.portions import by_portion, by_rest
from proofing.support.share_bounds import by_share_bound
from proofing.support.stated import (
    by_birthday,
    by_carried_unit,
    by_ends,
    by_more_precise,
    by_name,
    by_ordinal,
    by_times,
    by_year,
)
from proofing.support.totals import by_basket, by_pieces, by_total

#: The first that gives a judgement decides.
WAYS: tuple[Callable[[Place, Ledger], Judgement | None], ...] = (
    by_ends,
    by_more_precise,
    by_joined_dates,
    by_rounding,
    by_bound,
    by_share_bound,
    by_conversion,
    by_carried_unit,
    by_rate,
    by_other_period,
    by_hours,
    by_hours_between,
    by_century,
    by_ordinal,
    by_birthday,
    by_year,
    by_times,
    by_name,
    by_age,
    by_bare_age,
    by_birth_year,
    by_bare_figure,
    by_label,
    by_parted_unit,
    by_ratio,
    by_release,
    by_total,
    by_pieces,
    by_basket,
    by_extra,
    by_portion,
    by_rest,
    by_days_between,
)
