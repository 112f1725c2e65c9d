"""Two things in each other's places: who did it to whom, what is more than what, from where to where.

"Bramble acquired Acorn" has every word of "Acorn acquired Bramble", and so has "from Linz to Graz" of "from Graz to
Linz". A clause is called crossed only when one source clause has all its words around the same verb (or "than",
"before", "after"), with two groups of them exchanged, and no source says it as the answer does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from proofing.documents import Sentence
from proofing.report import Receipt
from proofing.support.alignment import near_sentences
from proofing.support.base import Judgement
from proofing.support.clauses import clause_ranges
from proofing.support.exchanged import things_exchanged
from proofing.support.polarity_words import are_opposite, signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.standing import holds_between, places_between, places_of
from proofing.support.stems import IRREGULAR
from proofing.support.wordset import word_set

#: Support of a thing in the place of another.
CROSSED = 0.1
#: A mark takes the verb in up to so many code points.
WITH_VERB = 26
#: Words that part two things, one of which is more, or comes first.
BETWEEN = word_set("than before after")
#: Words that part an effect from its cause.
REASONS = word_set("because")
_REASONS_OPEN = REASONS | {"due"}
BE = word_set("is are was were be been being am")
#: Verbs that say the same of both sides, and those too small to say who does what.
EITHER_WAY = word_set(
    "be have do meet marri marry match equal border resembl fac face play fight fought merg differ tie draw adjoin go",
    "touch cross intersect connect link shar trad compet agre collaborat join mix combin blend overlap neighbor come",
    "parallel correlat coincid relat alternat accompani accompany includ involv need get become remain mean say sit",
)
#: Verbs of cause and effect, read before anything ("leads to high humidity").
CAUSING = word_set("lead result stem caus trigger prevent increas reduc produc worsen improv rais lower")
#: Past tenses that are no irregular forms of the stemmer's.
PAST = word_set("beat hit overtook overthrew struck bit fed hired outran led")
#: Words before and after the two ends of a way, by language.
WAYS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "en": (word_set("from"), word_set("to into")),
    "de": (word_set("von vom aus"), word_set("nach zu zum zur ins in")),
    "fr": (word_set("de du d depuis"), word_set("à au aux vers en")),
    "es": (word_set("de del desde"), word_set("a al hasta")),
    "it": (word_set("da dal dalla dall"), word_set("a al alla in ad")),
    "pt": (word_set("de do da"), word_set("para ao à a")),
    "ru": (word_set("из с со от"), word_set("в на до во")),
}
#: So many small words may stand between "from" and its place.
SMALL = 2
#: A clause of more verbs (or of more "than", "before" and "after") is a list or noise: no two sides can be told apart
#: in it, and to try every pair of them would take time with the cube of its length.
MOST_PIVOTS = 12


class Sides(NamedTuple):
    """One clause around its pivot: the pivot, whether a passive, and the words on both sides, stem -> token."""

    pivot: int
    passive: bool
    left: dict[str, int]
    right: dict[str, int]


def things_crossed(proof: Proof) -> list[Judgement]:
    """``unbound`` over the thing that stands in the other's place; nothing where any source agrees."""
    out: list[Judgement] = []
    answer = proof.answer
    for number, sentence in enumerate(answer.sentences):
        if sentence.text.rstrip().endswith(("?", "？")):
            continue
        out += _ways_crossed(proof, sentence)
        for clause in clause_ranges(answer, number):
            out += (
                _sides_crossed(proof, sentence, clause) if answer.language == "en" else _moved(proof, sentence, clause)
            )
        if answer.language == "en":
            out += _reasons_crossed(proof, sentence)
    return out


def _moved(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Judgement]:
    found = things_exchanged(proof, sentence, clause)
    if found is not None:
        first, last, view, there = found
        note = "in the source it is the other way round"
        receipt = receipt_on(view, view.tokens[there.start].start, view.tokens[there.stop - 1].end, note)
        yield _judgement(proof.answer, first, last, receipt)


# --- from here to there -----------------------------------------------------------------------------------------


def _ways_crossed(proof: Proof, sentence: Sentence) -> Iterator[Judgement]:
    answer = proof.answer
    for start, end in _ways(answer, sentence):
        here = (answer.stems[start], answer.stems[end])
        found = None
        for index in near_sentences(proof, sentence):
            view, near = proof.located(index)
            ways = [(view.stems[a], view.stems[b]) for a, b in _ways(view, near)]
            if here in ways:
                found = None
                break
            if here[::-1] in ways and found is None:
                a, b = list(_ways(view, near))[ways.index(here[::-1])]
                found = (view, a, b)
        if found is not None:
            view, a, b = found
            receipt = receipt_on(view, view.tokens[a].start, view.tokens[b].end, "in the source it is the other way")
            yield _judgement(answer, start, end, receipt)


def _ways(view: TextView, sentence: Sentence) -> Iterator[tuple[int, int]]:
    """The two ends of every "from … to …" of a sentence: the last word of the first, the first of the second."""
    starting, ending = WAYS.get(view.language, WAYS["en"])
    for i in places_between(places_of(view, ending), sentence.first_token, sentence.last_token):
        end = _content_after(view, i, sentence.last_token)
        start = i - 1
        if end is None or start < sentence.first_token or not _is_end(view, start):
            continue
        before = start - 1
        while before > max(sentence.first_token, start - 4) and _is_end(view, before):
            before -= 1
        while (
            before > max(sentence.first_token, start - 6)
            and not _is_end(view, before)
            and (view.folds[before] not in starting)
        ):
            before -= 1
        if before >= sentence.first_token and view.folds[before] in starting:
            yield start, end


def _is_end(view: TextView, token: int) -> bool:
    return view.content[token] and view.tokens[token].kind == "word"


def _content_after(view: TextView, token: int, stop: int) -> int | None:
    for i in range(token + 1, min(token + 2 + SMALL, stop)):
        if view.tokens[i].kind == "sign":
            return None
        if _is_end(view, i):
            return i
    return None


# --- who does it to whom ----------------------------------------------------------------------------------------


def _sides_crossed(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Judgement]:
    answer = proof.answer
    for ours in _sides(answer, clause):
        found: tuple[TextView, Sides] | None = None
        agreed = False
        for index in near_sentences(proof, sentence):
            view, _ = proof.located(index)
            for theirs in [] if view.is_record else _source_sides(proof, index, answer.stems[ours.pivot]):
                crossed = _is_exchanged(answer, ours, view, theirs)
                agreed = agreed or crossed is False
                if crossed and found is None:
                    found = (view, theirs)
        if found is not None and not agreed:
            yield _sides_judgement(answer, ours, *found)


def _sides_judgement(answer: TextView, ours: Sides, view: TextView, theirs: Sides) -> Judgement:
    """The mark begins at the first word that stands on the wrong side and takes the verb in where that is short."""
    tokens = [*theirs.left.values(), *theirs.right.values()]
    note = "in the source it is the other way round"
    receipt = receipt_on(view, view.tokens[min(tokens)].start, view.tokens[max(tokens)].end, note)
    there = theirs.left if theirs.passive == ours.passive else theirs.right
    moved = [i for stem, i in ours.left.items() if stem not in there] or [_compared(answer, ours)]
    last = ours.pivot - (answer.folds[ours.pivot] == "than")
    first = min(moved)
    if answer.tokens[last].end - answer.tokens[first].start > WITH_VERB:
        first, last = (last, last) if last == ours.pivot and answer.folds[last] in BETWEEN else (first, max(moved))
    return _judgement(answer, first, last, receipt)


def _reasons_crossed(proof: Proof, sentence: Sentence) -> Iterator[Judgement]:
    """ "Exports fell because jobs were lost" for "jobs were lost because exports fell"; the same with "due to"."""
    answer = proof.answer
    ours = _reason_in(answer, sentence)
    if ours is None:
        return
    found: tuple[TextView, Sides] | None = None
    for index in near_sentences(proof, sentence):
        view, near = proof.located(index)
        theirs = None if view.is_record else _reason_in(view, near)
        if theirs is None:
            continue
        crossed = _is_exchanged(answer, ours, view, theirs)
        if crossed is False:
            return
        if crossed:
            found = found or (view, theirs)
    if found is not None:
        view, theirs = found
        tokens = [*theirs.left.values(), *theirs.right.values()]
        note = "in the source it is the other way round"
        receipt = receipt_on(view, view.tokens[min(tokens)].start, view.tokens[max(tokens)].end, note)
        last = ours.pivot + (answer.folds[ours.pivot + 1] in ("to", "of"))
        yield _judgement(answer, ours.pivot, last, receipt)


def _reason_in(view: TextView, sentence: Sentence) -> Sides | None:
    """A sentence around its one "because" or "due to", with effect on the left and cause on the right."""
    inside = _sentence(sentence)
    opening = places_between(places_of(view, _REASONS_OPEN), inside.start, inside.stop)
    places = [i for i in opening if view.folds[i] in REASONS or view.folds[i : i + 2] == ("due", "to")]
    if len(places) != 1 or signs_of(view).denies_between(inside.start, inside.stop):
        return None
    at = places[0]
    before, after = range(inside.start, at), range(at + 1, inside.stop)
    if not any(view.stating[k] for k in before):  # "Because of fog, the flight was late"
        comma = next((k for k in after if view.folds[k] == ","), None)
        if comma is None:
            return None
        before, after = range(comma, inside.stop), range(at + 1, comma)
    left = {view.stems[k]: k for k in before if view.stating[k]}
    right = {view.stems[k]: k for k in after if view.stating[k]}
    return Sides(at, False, left, right) if left and right else None


def _sentence(sentence: Sentence) -> range:
    return range(sentence.first_token, sentence.last_token)


def _source_sides(proof: Proof, index: int, stem: str) -> list[Sides]:
    view, near = proof.located(index)
    if stem not in view.places_in(near):
        return []
    number = proof.evidence[index].sentence
    return [
        sides for clause in clause_ranges(view, number) for sides in _sides(view, clause)
        if view.stems[sides.pivot] == stem
    ]  # fmt: skip


def _compared(view: TextView, sides: Sides) -> int:
    """The word of comparison before "than"."""
    return max(sides.left.values())


def _is_exchanged(answer: TextView, ours: Sides, view: TextView, theirs: Sides) -> bool | None:
    """Whether the two sides have changed places; None where the two clauses do not say enough of the same."""
    mine, yours = set(ours.left), set(ours.right)
    left, right = set(theirs.left), set(theirs.right)
    turned = False
    if answer.folds[ours.pivot] == "than":
        here, there = _compared(answer, ours), _compared(view, theirs)
        if answer.stems[here] != view.stems[there]:
            turned = are_opposite(answer.stems[here], view.stems[there])
            if not turned or "less" in (answer.folds[here - 1], view.folds[there - 1]):
                return None
            mine = (mine - {answer.stems[here], "more"}) | {view.stems[there]}
            left = left - {"more"}
    if ours.passive != theirs.passive:
        left, right = right, left
    if not (mine | yours) <= (left | right):
        return None
    moved, back = yours - right, right - yours
    if not moved:
        return turned if mine & left and yours & right else None
    exchanged = moved <= left and bool(back) and back <= mine and mine - back <= left
    return not turned if exchanged else None


def _sides(view: TextView, clause: range) -> Iterator[Sides]:
    """A clause around each verb and each "than", "before" and "after" of it that has words on both sides."""
    if signs_of(view).denies_between(clause.start, clause.stop):
        return
    ordered = holds_between(places_of(view, BETWEEN), clause.start, clause.stop)
    pivots = [i for i in clause if view.folds[i] in BETWEEN or (not ordered and _is_verb(view, clause, i))]
    for i in pivots if len(pivots) <= MOST_PIVOTS else ():
        between = view.folds[i] in BETWEEN
        before = range(max(clause.start, i - 3), i)
        by = any(view.folds[k] == "by" for k in range(i + 1, clause.stop))
        # "a grievance filed by the union" is one as well, "grew by 5 %" is none
        behind = view.folds[i + 1 : i + 2] == ("by",) and view.folds[i].endswith(("ed", "en"))
        if view.folds[i + 1 : i + 2] == ("by",) and view.tokens[min(i + 2, clause.stop - 1)].kind != "word":
            continue
        passive = not between and by and (behind or any(view.folds[k] in BE for k in before))
        if not between and not passive and any(view.folds[k] in BE for k in before):
            continue  # "was sold to": nobody is said to have done it
        left = {view.stems[k]: k for k in range(clause.start, i) if view.stating[k]}
        right = {view.stems[k]: k for k in range(i + 1, clause.stop) if view.stating[k]}
        if left and right:
            yield Sides(i, passive, left, right)


def _is_verb(view: TextView, clause: range, i: int) -> bool:
    """A past tense, or a third person before an article or a name; not one that says the same both ways."""
    token, fold = view.tokens[i], view.folds[i]
    if token.kind != "word" or not token.text.islower() or view.stems[i] in EITHER_WAY or not view.content[i]:
        return False
    if i == clause.start or view.folds[i - 1] in ("the", "a", "an", "of", "to"):
        return False
    if fold in IRREGULAR or fold in PAST or fold.endswith("ed"):
        return True
    if view.stems[i] in CAUSING and fold.endswith("s"):
        return True
    following = view.tokens[i + 1] if i + 1 < clause.stop else None
    return fold.endswith("s") and following is not None and (
        following.text in ("the", "a", "an") or following.text[:1].isupper()
    )  # fmt: skip


def _judgement(answer: TextView, first: int, last: int, receipt: Receipt) -> Judgement:
    start, end = answer.tokens[first].start, answer.tokens[last].end
    return Judgement(start, end, answer.text[start:end], "name", CROSSED, "unbound", receipt, (), channel="polarity")
