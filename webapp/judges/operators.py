"""The judges of this site, as its operator wrote them down, and which of them a project may ask.

Addresses and keys come from the operator's file and environment alone. Nobody can type an address into a page, so no
page can make the server call one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from proofing.judges.configuration import Judge, read_judges
from webapp.judges.models import JudgeSettings


@dataclass(frozen=True, slots=True)
class Offered:
    """One of the site's judges as a project's page shows it.

    Attributes:
        agreed: a lead agreed to send this project's texts to this very address and model.
        moved: a lead agreed once, but the address or the model has changed since.
        has_key: its key is there, or it needs none.
    """

    judge: Judge
    agreed: bool
    moved: bool
    has_key: bool


def site_judges() -> tuple[Judge, ...]:
    """The judges of this site; none when the operator named no file.

    Raises:
        BadInput: the file has become unreadable since the start.
    """
    return read_judges(settings.JUDGES_FILE) if settings.JUDGES_FILE else ()


def offered(found: JudgeSettings) -> list[Offered]:
    """Every judge of the site, with what this project agreed to."""
    rows = []
    for judge in site_judges():
        known = found.agreed.get(judge.name)
        same = known == _place(judge)
        has_key = not judge.key_env or bool(os.environ.get(judge.key_env, "").strip())
        rows.append(Offered(judge, agreed=same, moved=known is not None and not same, has_key=has_key))
    return rows


def may_ask(found: JudgeSettings) -> tuple[Judge, ...]:
    """The judges that may be sent this project's texts now: switched on, and unmoved since a lead agreed."""
    return tuple(row.judge for row in offered(found) if row.agreed) if found.enabled else ()


def agreement(judges: Sequence[Judge]) -> dict[str, dict[str, str]]:
    """What is kept when a lead agrees to these judges."""
    return {judge.name: _place(judge) for judge in judges}


def _place(judge: Judge) -> dict[str, str]:
    return {"base_url": judge.base_url, "model": judge.model}
