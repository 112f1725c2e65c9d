"""Whether a judge is worth asking: every judge on answers that are known to be right or wrong.

The built-in cases come in pairs on one source, one right and one wrong in a single respect (`data/sanity.json`), so a
judge that likes everything, or nothing, is right half the time and no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from proofing.documents import Source
from proofing.judges.panel import Panel
from proofing.judges.votes import INVALID, Case, Vote
from proofing.learning.intervals import Interval, clopper_pearson

#: A judge that says yes (or no) at least this often says it whatever it is asked.
ONE_SIDED = 0.95
#: Judges that agree at least so far (Cohen's kappa) are one voice.
TWIN = 0.95
#: From this share of votes without a use on, a judge costs more than it says.
TOO_MANY_LOST = 0.25
#: Votes needed before anything is advised.
LEAST_VOTES = 20


@dataclass(frozen=True, slots=True)
class SanityCase:
    """One answer whose label is known; `kind` is what is wrong with the wrong one of its pair."""

    case: Case
    kind: str
    label: int
    words: tuple[str, ...]


@cache
def sanity_cases() -> tuple[SanityCase, ...]:
    """The built-in cases, a right and a wrong answer by turns."""
    rows = json.loads(files("proofing.judges").joinpath("data/sanity.json").read_text(encoding="utf-8"))
    found = []
    for number, row in enumerate(rows, start=1):
        sources = (Source("s1", row["source"]),)
        for label, name in ((0, "right"), (1, "wrong")):
            case = Case(row[name], sources, row["question"], f"{number}-{name}")
            found.append(SanityCase(case, row["kind"], label, tuple(row["words"]) if label else ()))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """How one judge did.

    Attributes:
        valid, invalid, failed: how its votes ended; `failed` counts whatever was never answered.
        yes_rate: share of its valid votes that say unsupported; None without any.
        accuracy: share of its valid votes that are right, with the exact 95 % interval.
        missed: kinds of failure of which it found none.
        seconds: mean seconds of a vote; cost: in all; requests: in all.
    """

    judge: str
    asked: int
    valid: int
    invalid: int
    failed: int
    yes_rate: float | None
    accuracy: float | None
    interval: Interval
    missed: tuple[str, ...]
    seconds: float
    cost: float
    requests: int


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to know about a judge. `code`: ``always_yes``, ``always_no``, ``no_better_than_chance``, ``twin``
    (of `other`), ``too_many_lost`` or ``too_few_votes``."""

    judge: str
    code: str
    other: str = ""

    @property
    def drop(self) -> bool:
        """Whether the judge had better be left out."""
        return self.code != "too_few_votes"

    def __str__(self) -> str:
        return ADVICE[self.code].format(judge=self.judge, other=self.other)


ADVICE = {
    "always_yes": "drop {judge}: it calls nearly every answer unsupported",
    "always_no": "drop {judge}: it calls nearly every answer supported",
    "no_better_than_chance": "drop {judge}: its votes are no better than chance",
    "twin": "drop {judge} or {other}: they say the same on nearly everything, so two of them count double",
    "too_many_lost": "drop {judge}: too many of its votes failed or were unusable",
    "too_few_votes": "{judge}: too few votes to say anything",
}


@dataclass(frozen=True, slots=True)
class SanityReport:
    """Figures of every judge, the agreement of each two (Cohen's kappa, None where undefined), and advice."""

    judges: tuple[JudgeFigures, ...]
    kappa: tuple[tuple[float | None, ...], ...]
    advice: tuple[Advice, ...]
    cases: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "cases": self.cases,
            "judges": [asdict(figures) for figures in self.judges],
            "kappa": [list(row) for row in self.kappa],
            "advice": [{**asdict(one), "drop": one.drop, "said": str(one)} for one in self.advice],
        }


def run_sanity(
    panel: Panel,
    *,
    cases: Sequence[SanityCase] | None = None,
    done: Callable[[int, list[Vote]], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> SanityReport:
    """Ask every judge about the cases and say how each did; see `Panel.ask_all` for `done` and `cancelled`."""
    used = sanity_cases() if cases is None else cases
    votes = panel.ask_all([one.case for one in used], done=done, cancelled=cancelled)
    return judged(used, votes, [judge.name for judge in panel.judges])


def judged(cases: Sequence[SanityCase], votes: Sequence[Sequence[Vote]], names: Sequence[str]) -> SanityReport:
    """The report on votes that were given; one row of votes per case, one vote per judge."""
    columns = [[row[place] for row in votes] for place in range(len(names))]
    figures = tuple(_figures(name, cases, column) for name, column in zip(names, columns, strict=True))
    kappa = tuple(tuple(_kappa(left, right) for right in columns) for left in columns)
    return SanityReport(figures, kappa, tuple(_advice(figures, kappa)), len(cases))


def _figures(name: str, cases: Sequence[SanityCase], votes: Sequence[Vote]) -> JudgeFigures:
    said = [(one, vote) for one, vote in zip(cases, votes, strict=True) if vote.valid]
    right = sum(bool(vote.unsupported) == bool(one.label) for one, vote in said)
    wrong_kinds = dict.fromkeys(one.kind for one, _ in said if one.label)
    caught = {one.kind for one, vote in said if one.label and vote.unsupported}
    answered = [vote for vote in votes if vote.requests]
    return JudgeFigures(
        judge=name,
        asked=len(votes),
        valid=len(said),
        invalid=sum(vote.outcome == INVALID for vote in votes),
        failed=sum(not vote.valid and vote.outcome != INVALID for vote in votes),
        yes_rate=round(sum(bool(vote.unsupported) for _, vote in said) / len(said), 6) if said else None,
        accuracy=round(right / len(said), 6) if said else None,
        interval=clopper_pearson(right, len(said)),
        missed=tuple(kind for kind in wrong_kinds if kind not in caught),
        seconds=round(sum(vote.latency_ms for vote in answered) / len(answered) / 1000, 3) if answered else 0.0,
        cost=round(sum(vote.cost for vote in votes), 6),
        requests=sum(vote.requests for vote in votes),
    )


def _kappa(left: Sequence[Vote], right: Sequence[Vote]) -> float | None:
    """Cohen's kappa over the cases both have a valid vote on (Cohen, 1960); 1 where both say one thing throughout."""
    pairs = [
        (bool(a.unsupported), bool(b.unsupported)) for a, b in zip(left, right, strict=True) if a.valid and b.valid
    ]
    if not pairs:
        return None
    n = len(pairs)
    same = sum(a == b for a, b in pairs) / n
    yes_a, yes_b = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    chance = yes_a * yes_b + (1 - yes_a) * (1 - yes_b)
    return 1.0 if chance == 1.0 else round((same - chance) / (1 - chance), 6)


def _advice(figures: Sequence[JudgeFigures], kappa: Sequence[Sequence[float | None]]) -> list[Advice]:
    found: list[Advice] = []
    for one in figures:
        if one.asked and (one.asked - one.valid) / one.asked >= TOO_MANY_LOST:
            found.append(Advice(one.judge, "too_many_lost"))
        elif one.valid < LEAST_VOTES or one.yes_rate is None:
            found.append(Advice(one.judge, "too_few_votes"))
        elif one.yes_rate >= ONE_SIDED:
            found.append(Advice(one.judge, "always_yes"))
        elif one.yes_rate <= 1 - ONE_SIDED:
            found.append(Advice(one.judge, "always_no"))
        elif one.interval[0] <= 0.5:
            found.append(Advice(one.judge, "no_better_than_chance"))
    named = {advice.judge for advice in found}
    for place, one in enumerate(figures):
        for other_place in range(place):
            other, agree = figures[other_place], kappa[place][other_place]
            if one.judge in named or other.judge in named or agree is None or agree < TWIN:
                continue
            worse, better = sorted((one, other), key=lambda f: (f.accuracy or 0.0, -f.cost, -f.seconds))
            found.append(Advice(worse.judge, "twin", better.judge))
    return found
