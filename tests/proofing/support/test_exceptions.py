"""An exception said from its other side agrees; the same statement without its exception does not."""

from __future__ import annotations

import pytest

from proofing.pipeline import proofread_whole
from proofing.settings import Settings


def healed(source: str, answer: str) -> str:
    return proofread_whole("", [source], answer, settings=Settings(tier="fast")).healing.text


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Kayaks are not permitted except rented ones.", "Only rented kayaks are permitted; other kayaks are not."),
        ("Everybody except crew must pay.", "Crew do not have to pay; everybody else must."),
        ("Vans are not allowed except on market days.", "Vans are only allowed on market days."),
        ("Deposits are not returned unless the trip is called off.",
         "Deposits are returned only if the trip is called off."),
        ("Deposits are not returned unless the trip is called off.",
         "Deposits are returned when the trip is called off."),
        ("The voucher is not accepted after Tuesday.", "The voucher is accepted until Tuesday."),
        ("The gate is not opened before nine.", "The gate is opened from nine on."),
        ("Trams do not run after midnight.", "Trams run until midnight."),
        ("The lift may not be used apart from deliveries.", "The lift may be used for deliveries."),
    ],
)  # fmt: skip
def test_the_other_side_of_an_exception_stays_as_it_is(source, answer):
    assert healed(source, answer) == answer


@pytest.mark.parametrize(
    ("source", "answer", "right"),
    [
        ("Kayaks are not permitted except rented ones.", "Kayaks are permitted.", "Kayaks are not permitted."),
        ("The voucher is not accepted after Tuesday.", "The voucher is accepted after Tuesday.",
         "The voucher is not accepted after Tuesday."),
        ("Deposits are not returned unless the trip is called off.",
         "Deposits are returned unless the trip is called off.",
         "Deposits are not returned unless the trip is called off."),
        ("Vans are not allowed except on market days.", "Vans are allowed except on market days.",
         "Vans are not allowed except on market days."),
    ],
)  # fmt: skip
def test_a_denial_dropped_beside_an_exception_is_still_found(source, answer, right):
    assert healed(source, answer) == right
