"""Billing cycles in words: "billed monthly", "annual subscription", "paid by the week".

A cycle is a value without a figure. It is judged only where the answer speaks of paying; "a monthly report" is a
report. A source sentence that denies the cycle ("cannot be paid by the month") is no support for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place, places_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.words import word_set

#: Cycle word -> (period, form); forms: adverb, adjective, both.
WORDS: dict[str, tuple[str, str]] = {
    "daily": ("day", "both"), "weekly": ("week", "both"), "monthly": ("month", "both"),
    "quarterly": ("quarter", "both"), "annually": ("year", "adverb"), "yearly": ("year", "both"),
    "annual": ("year", "adjective"), "hourly": ("hour", "both"),
    "monatlich": ("month", "both"), "jährlich": ("year", "both"), "wöchentlich": ("week", "both"),
    "mensual": ("month", "adjective"), "mensualmente": ("month", "adverb"), "anual": ("year", "adjective"),
    "anualmente": ("year", "adverb"), "mensuel": ("month", "adjective"), "annuel": ("year", "adjective"),
    "mensile": ("month", "adjective"), "annuale": ("year", "adjective"), "mensal": ("month", "adjective"),
}  # fmt: skip
PERIODS = frozenset({"day", "week", "month", "quarter", "year", "hour"})
#: Cycles and prices with a period that are looked at in the sources, the first ones first.
LOOKED_AT = 200
_BEFORE = frozenset({"per", "a", "an", "each", "every", "the", "by"})
FORMS: dict[str, tuple[str, str]] = {
    "day": ("daily", "daily"), "week": ("weekly", "weekly"), "month": ("monthly", "monthly"),
    "quarter": ("quarterly", "quarterly"), "year": ("annually", "annual"), "hour": ("hourly", "hourly"),
}  # fmt: skip
#: Stems that show that a sentence speaks of paying.
PAYING = word_set(
    "bill pay paid charge charg invoic invoice subscript subscription subscrib plan fee price pric payment cost member "
    "membership licenc license licens renew renewal rate abonnement zahl preis precio cuota tarif prix tarifa"
)
DENYING = word_set("not no never cannot without nor neither nicht kein keine no nunca sin pas aucun non")


#: Words that name a cycle, alone or behind "by the".
_NAMING = frozenset(WORDS) | frozenset(PERIODS)


@dataclass(frozen=True, slots=True)
class Cycle:
    """One cycle named in a text: where, which period, in which form, and whether its sentence denies it."""

    view: TextView
    start: int
    end: int
    period: str
    form: str
    sentence: int
    denied: bool


def cycles_of(view: TextView) -> list[Cycle]:
    """Every cycle word of a text, and every "by the month", that is not the period of an amount; read once."""
    known: list[Cycle] | None = view.memo.get("cycles")
    if known is None:
        known = view.memo["cycles"] = _read_cycles(view)
    return known


def _read_cycles(view: TextView) -> list[Cycle]:
    named = [i for i, fold in enumerate(view.folds) if fold in _NAMING]
    if not named:
        return []
    taken = {place.value.period_span.start for place in places_of(view) if place.value.period_span is not None}
    found = []
    for i in named:
        fold, token = view.folds[i], view.tokens[i]
        known = WORDS.get(fold)
        if known is not None and token.start not in taken:
            found.append(_cycle(view, token.start, token.end, known[0], known[1]))
        elif fold in PERIODS and i >= 2 and view.folds[i - 1] in _BEFORE and view.folds[i - 2] in ("by", "per"):
            found.append(_cycle(view, view.tokens[i - 2].start, token.end, fold, "phrase"))
    return found


def _cycle(view: TextView, start: int, end: int, period: str, form: str) -> Cycle:
    index = view.sentence_index_at(start) or 0
    denied = _denies(view, index)
    if form == "both":
        after = view.tokens_between(end, min(len(view.text), end + 1))
        i = view.token_index_at(end)
        follows = i < len(view.tokens) and view.content[i] and view.tokens[i].start <= end + 1 and after is not None
        form = "adjective" if follows else "adverb"
    return Cycle(view, start, end, period, form, index, denied)


def _denies(view: TextView, index: int) -> bool:
    known: bool | None = view.memo.get(("denies", index))
    if known is None:
        sentence = view.sentences[index]
        folds = view.folds[sentence.first_token : sentence.last_token]
        known = view.memo["denies", index] = any(fold in DENYING or fold.endswith("n't") for fold in folds)
    return known


def judge_cycles(proof: Proof, ledger: Ledger) -> list[Judgement]:
    """One judgement for each billing cycle of the answer that is not the period of an amount."""
    ours = [cycle for cycle in cycles_of(proof.answer) if _speaks_of_paying(cycle)]
    if not ours:
        return []
    theirs = [cycle for view in proof.sources for cycle in cycles_of(view)][:LOOKED_AT]
    return [_judge(cycle, theirs, ledger) for cycle in ours]


def _speaks_of_paying(cycle: Cycle) -> bool:
    view = cycle.view
    if cycle.form == "adjective":
        i = view.token_index_at(cycle.end)
        return i < len(view.tokens) and view.stems[i] in PAYING
    sentence = view.sentences[cycle.sentence]
    return any(stem in PAYING for stem in view.stems_in(sentence))


def _judge(cycle: Cycle, theirs: Sequence[Cycle], ledger: Ledger) -> Judgement:
    words = _words(cycle.view, cycle.sentence)
    for other in theirs:
        backs = not other.denied or cycle.denied  # "yearly plans cannot be paused" backs its own repetition
        if other.period == cycle.period and backs and words & _words(other.view, other.sentence):
            return _said(cycle, 1.0, None, other.view, other.start, other.end, "")
    priced = _priced(ledger)
    for place in priced:
        if place.value.period == cycle.period and words & place.wide:
            return _said(cycle, 1.0, None, place.view, place.value.start, _stop(place), "")
    contrary = _contrary(cycle, words, theirs, priced)
    if contrary is None:
        return _said(cycle, 0.5, None, None, 0, 0, "")
    view, start, end, period = contrary
    note = f"the source bills per {period}: {' '.join(view.text[start:end].split())}"
    return _said(cycle, 0.0, "unit", view, start, end, note, _written(cycle, period, view.text[start:end]))


def _contrary(
    cycle: Cycle, words: frozenset[str], theirs: Sequence[Cycle], priced: Sequence[Place]
) -> tuple[TextView, int, int, str] | None:
    """The best source place that bills the same thing in another cycle."""
    found: list[tuple[int, int, tuple[TextView, int, int, str]]] = []
    for position, other in enumerate(theirs):
        shared = words & _words(other.view, other.sentence)
        if other.period != cycle.period and not other.denied and shared:
            found.append((-len(shared), position, (other.view, other.start, other.end, other.period)))
    for position, place in enumerate(priced):
        shared = words & place.wide
        if place.value.period != cycle.period and shared and place.value.period:
            at = (place.view, place.value.start, _stop(place), place.value.period)
            found.append((-len(shared), len(theirs) + position, at))
    return min(found, key=lambda item: item[:2])[2] if found else None


def _stop(place: Place) -> int:
    return max(place.value.end, place.value.period_span.end if place.value.period_span else 0)


def _priced(ledger: Ledger) -> list[Place]:
    known: list[Place] | None = ledger.memo.get("priced")
    if known is None:
        found = (p for p in ledger.places if p.value.period is not None and p.value.kind in ("money", "quantity"))
        known = ledger.memo["priced"] = list(islice(found, LOOKED_AT))
    return known


def _words(view: TextView, sentence: int) -> frozenset[str]:
    known: frozenset[str] | None = view.memo.get(("cycle words", sentence))
    if known is None:
        words = frozenset(view.content_stems_in(view.sentences[sentence])) - _CYCLE_STEMS
        known = view.memo["cycle words", sentence] = words
    return known


def _written(cycle: Cycle, period: str, source_words: str) -> str:
    """The source's cycle in the form that the answer's sentence needs, in the answer's capitalisation."""
    old = cycle.view.text[cycle.start : cycle.end]
    if cycle.form == "phrase":
        return old[: -len(old.split()[-1])] + period
    known = WORDS.get(source_words.casefold())
    if known is not None and known[1] in (cycle.form, "both"):
        new = source_words.casefold()
    else:
        new = FORMS[period][0 if cycle.form == "adverb" else 1]
    return new.capitalize() if old[:1].isupper() else new


def _said(
    cycle: Cycle, support: float, reason: str | None, view: TextView | None, start: int, end: int, note: str,
    replacement: str | None = None,
) -> Judgement:  # fmt: skip
    receipt = receipt_on(view, start, end, note) if view is not None else None
    text = cycle.view.text[cycle.start : cycle.end]
    return Judgement(
        cycle.start, cycle.end, text, "duration", support, reason, receipt, (replacement,) if replacement else (),
        "arithmetic", note, channel="values",
    )  # fmt: skip


_CYCLE_STEMS = frozenset({"month", "annual", "year", "week", "day", "quarter", "hour", "monthly", "dai", "daily"})
