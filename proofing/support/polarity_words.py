"""The words that turn a statement round, per language, and where they stand in a text.

Everything here comes from ``data/polarity.json``. `signs_of` reads one text once: which tokens deny, which
modals, comparators, quantifiers and opposites stand where.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from proofing.support.reading import TextView
from proofing.support.standing import holds_between
from proofing.support.stems import stem_of
from proofing.support.words import load_list
from proofing.support.wordset import word_set

#: The first so many comparator pairs of each language bound a value from below or above (at least, more than).
BOUNDS = 2


WITHOUT = word_set("without ohne sans sin senza sem без")
#: Stems of verbs that keep somebody "from" something.
KEEPING = frozenset(stem_of(w) for w in ("ban", "bar", "block", "prevent", "prohibit", "stop", "keep", "discourage"))


@dataclass(frozen=True, slots=True)
class Turn:
    """One word or phrase with a direction.

    Attributes:
        first, last: token range, half-open.
        family: ``modality``, ``quantifier``, ``limiter``, ``bound`` (at least, more than) or ``comparator:n``.
        side: which side of the family it is on.
    """

    first: int
    last: int
    family: str
    side: str


@dataclass(frozen=True)
class Signs:
    """All polarity words of one text.

    Attributes:
        denials: token index of each negator -> half-open end of it ("do n't" takes three tokens).
        turns: modals, comparators, quantifiers, limiters in text order.
        axes: token index -> the (axis, side) pairs its word stands on; side is 1 or -1.
        modals: token index -> the modal that begins there.
        denial_places: the keys of `denials`, ascending.
        limited: indices of the sentences that hold a limiter ("only").
    """

    denials: dict[int, int]
    turns: tuple[Turn, ...]
    axes: dict[int, tuple[tuple[int, int], ...]]
    modals: dict[int, Turn]
    denial_places: tuple[int, ...]
    limited: frozenset[int]

    def denies_between(self, first: int, last: int) -> bool:
        """Whether a denial begins in the token range ``[first, last)``."""
        return holds_between(self.denial_places, first, last)

    def turns_in(self, tokens: range) -> Sequence[Turn]:
        """The turns that begin in a token range, in text order."""
        starts = self._turn_starts
        return self.turns[bisect_left(starts, tokens.start) : bisect_left(starts, tokens.stop)]

    @cached_property
    def _turn_starts(self) -> list[int]:
        return [turn.first for turn in self.turns]


@cache
def _lists(language: str) -> dict[str, Any]:
    known = load_list("polarity")
    return {
        part: known[part].get(language, {} if part == "modals" else [])
        for part in ("modals", "comparators", "quantifiers", "limiters", "axes")
    } | {
        "negators": frozenset(str(known["negators"].get(language, "")).split()),
        "denying_phrases": known["denying_phrases"].get(language, []),
    }


@cache
def _phrases(language: str) -> dict[str, tuple[tuple[tuple[str, ...], str, str], ...]]:
    """First word -> (phrase, family, side), longest phrase first."""
    lists = _lists(language)
    found: list[tuple[str, str, str]] = []
    for side, phrases in lists["modals"].items():
        found += [(phrase, "modality", side) for phrase in phrases]
    for number, sides in enumerate(lists["comparators"]):
        family = "bound" if number < BOUNDS else f"comparator:{number}"
        found += [(p, family, str(s)) for s, phrases in enumerate(sides) for p in phrases]
    found += [(p, "quantifier", str(s)) for s, phrases in enumerate(lists["quantifiers"]) for p in phrases]
    found += [(p, "limiter", "only") for p in lists["limiters"]]
    found += [(p, "denial", "") for p in lists["denying_phrases"]]
    by_first: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
    for phrase, family, side in found:
        words = tuple(phrase.split())
        by_first.setdefault(words[0], []).append((words, family, side))
    return {first: tuple(sorted(options, key=lambda o: -len(o[0]))) for first, options in by_first.items()}


@cache
def _sparks(language: str) -> frozenset[str]:
    """First words of everything `signs_of` looks for, opposites apart."""
    return frozenset([*_lists(language)["negators"], *_phrases(language), *OUT, *ENDING, "from", "non", "cannot", "ca"])


@cache
def axes_of(language: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """Stem -> the axes of opposites it stands on, each with its side (1 or -1)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, (up, down) in enumerate(_lists(language)["axes"]):
        for side, words in ((1, up), (-1, down)):
            for word in words.split():
                entry = found.setdefault(stem_of(word, language), [])
                if (number, side) not in entry:
                    entry.append((number, side))
    return {stem: tuple(entry) for stem, entry in found.items()}


def are_opposite(stem: str, other: str) -> bool:
    """Whether two English stems stand on two sides of one axis ("cheaper" and "dearer")."""
    axes = axes_of("en")
    there = dict(axes.get(other, ()))
    return any(there.get(axis) == -side for axis, side in axes.get(stem, ()))


def signs_of(view: TextView) -> Signs:
    """The polarity words of one text, worked out once."""
    known: Signs | None = view.memo.get("signs")
    if known is None:
        known = view.memo["signs"] = _read_signs(view)
    return known


def _read_signs(view: TextView) -> Signs:
    language = view.language
    negators = _lists(language)["negators"]
    phrases = _phrases(language)
    axes = axes_of(language)
    folds, stems = view.folds, view.stems
    denials: dict[int, int] = {}
    turns: list[Turn] = []
    on_axes: dict[int, tuple[tuple[int, int], ...]] = {}
    skip_to = 0
    for i in _places_to_read(folds, stems, language):
        fold = folds[i]
        if stems[i] in axes:
            on_axes[i] = axes[stems[i]]
        if i < skip_to:
            continue
        if fold in WITHOUT and i - 1 in denials:
            del denials[i - 1]  # "not without limits" says that there are some
        elif fold in negators:
            if not ((fold == "no" and folds[i + 1 : i + 2] in NO_DENIAL) or _leaves_open(folds, i)):
                denials[i] = i + 1
        elif fold.endswith("n") and folds[i + 1 : i + 3] == ("'", "t"):
            denials[i] = i + 3
        elif fold == "from" and _is_kept_from(view, i):
            denials[i] = i + 1
        elif fold in OUT and (last := _out_of(folds, i)):
            denials[i] = last
        elif fold in ENDING and _ends_a_service(folds, i):
            denials[i] = i + 1
        elif fold == "non" and folds[i + 1 : i + 2] == ("-",):
            denials[i] = i + 2
        if fold in ("need", "needn") and folds[i + 1 : i + 2] in (("not",), ("'",)):
            turns.append(Turn(i, i + 1, "modality", "obligation"))  # "need not" denies what "must" says
        turn = _turn_at(view, phrases, i) if fold in phrases or fold in ("cannot", "ca") else None
        if turn is not None:
            if turn.last > i + 1:
                denials.pop(i, None)  # "no more than" bounds, it does not deny
            if turn.family == "denial":
                denials[i] = turn.last
            else:
                turns.append(turn)
            skip_to = turn.last
    limited = _sentences_of(view, [turn.first for turn in turns if turn.family == "limiter"])
    modals = {turn.first: turn for turn in turns if turn.family == "modality"}
    return Signs(denials, tuple(turns), on_axes, modals, tuple(sorted(denials)), limited)


def _sentences_of(view: TextView, tokens: Iterable[int]) -> frozenset[int]:
    return frozenset([view.sentence_index_at(view.tokens[i].start) or 0 for i in tokens])


#: "No. 4", and the Portuguese "no mínimo" ("at least").
NO_DENIAL = ((".",), ("mínimo",), ("máximo",))
#: "With or without", "whether or not": both are said, so nothing is denied.
OPEN_PAIRS = frozenset({
    ("with", "or", "without"), ("with", "and", "without"), ("mit", "oder", "ohne"), ("avec", "ou", "sans"),
    ("con", "o", "sin"), ("con", "o", "senza"), ("com", "ou", "sem"), ("с", "или", "без"),
})  # fmt: skip


def _leaves_open(folds: Sequence[str], i: int) -> bool:
    before = tuple(folds[max(i - 2, 0) : i])
    if (*before, folds[i]) in OPEN_PAIRS:
        return True
    return folds[i] == "not" and before[-1:] == ("or",) and "whether" in folds[max(i - 12, 0) : i]


def _places_to_read(folds: Sequence[str], stems: Sequence[str], language: str) -> list[int]:
    """The few tokens that can begin anything with a direction."""
    sparks, axes = _sparks(language), axes_of(language)
    return [
        i
        for i, (fold, stem, after) in enumerate(zip(folds, stems, (*folds[1:], ""), strict=False))
        if fold in sparks or stem in axes or (after == "'" and fold.endswith("n"))
    ]


#: "Out of service", "außer Betrieb": the word and the small words behind it, before one of the states below.
OUT: dict[str, tuple[str, ...]] = {
    "out": ("of",), "ausser": (), "hors": (), "fuera": ("de",), "fuori": (), "fora": ("de",),
}  # fmt: skip
STATES = word_set(
    "service order operation stock use print date production action betrieb dienst kraft funktion service usage "
    "servicio uso funcionamiento servizio uso produzione serviço funcionamento produção",
)


def _out_of(folds: Sequence[str], i: int) -> int:
    """Where the words end that put a state out ("out of" of "out of service"); 0 where no state follows."""
    last = i + 1 + len(OUT[folds[i]])
    fits = tuple(folds[i + 1 : last]) == OUT[folds[i]] and folds[last : last + 1] != () and folds[last] in STATES
    return last if fits else 0


#: "Drops support for" says what "no longer supports" says: verbs that end a service, and the services that have a verb
#: of their own stem.
ENDING = word_set(
    "drop drops dropped dropping end ends ended ending remove removes removed removing discontinue discontinues "
    "discontinued discontinuing withdraw withdraws withdrew withdrawn withdrawing cease ceases ceased ceasing "
    "terminate terminates terminated terminating stop stops stopped"
)
SERVICES = word_set("support production delivery sale sales service maintenance hosting publication")
BEFORE_A_SERVICE = word_set("all its the official active any")


def _ends_a_service(folds: Sequence[str], i: int) -> bool:
    after = i + 1 + (folds[i + 1 : i + 2] != () and folds[i + 1] in BEFORE_A_SERVICE)
    return folds[after : after + 1] != () and folds[after] in SERVICES


def _is_kept_from(view: TextView, i: int) -> bool:
    """ "Banned the players from using": what follows is denied."""
    follows = view.folds[i + 1 : i + 2]
    return bool(follows) and follows[0].endswith("ing") and any(s in KEEPING for s in view.stems[max(i - 6, 0) : i])


def _turn_at(view: TextView, phrases: dict[str, tuple[tuple[tuple[str, ...], str, str], ...]], i: int) -> Turn | None:
    fold = view.folds[i]
    if fold == "cannot":
        return Turn(i, i + 1, "modality", "permission")
    for words, family, side in phrases.get(fold, ()):
        if view.folds[i : i + len(words)] == words:
            if len(words) == 1 and view.tokens[i].text == "May" and not _opens_sentence(view, i):
                return None  # the month
            return Turn(i, i + len(words), family, side)
    if fold == "ca" and view.folds[i + 1 : i + 2] == ("n",):
        return Turn(i, i + 1, "modality", "permission")
    return None


def _opens_sentence(view: TextView, i: int) -> bool:
    sentence = view.sentence_at(view.tokens[i].start)
    return sentence is not None and sentence.first_token == i
