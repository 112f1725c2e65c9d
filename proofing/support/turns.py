"""Modals, comparators, quantifiers and "only" of the answer against those of the nearest source clause."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from proofing.documents import Sentence
from proofing.support.alignment import PLACES_OF_ONE, Aligned, aligned_clauses, near_sentences
from proofing.support.claimed import claim_at
from proofing.support.clauses import content_of
from proofing.support.denials import is_asserted
from proofing.support.denying import modal_swapped
from proofing.support.polarity_words import Turn, signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.standing import holds_between, places_of
from proofing.support.wordset import word_set

#: Share of the rest of the clause a source clause must meet before it may contradict.
NEAR_ENOUGH = 0.5
#: A clause that agrees counts when it is at most this much farther away than the one that contradicts.
ABOUT_AS_NEAR = 0.2
#: The same for "should", which writers put for "must" freely.
VERY_NEAR = 0.9
#: Modal sides that contradict each other, as (answer, source). "May" for the source's "will" only takes care; "will"
#: for its "may" goes beyond it.
APART = frozenset({
    ("obligation", "permission"), ("permission", "obligation"), ("obligation", "advice"), ("advice", "obligation"),
    ("certainty", "permission"), ("certainty", "advice"),
})  # fmt: skip
#: Sides of the quantifiers beside "all" and "none": "some" may be few or many, few are not many.
SOME, FEW, MUCH = "1", "3", "4"
#: Stems of verbs that turn a bound round as a denial does ("requests over 4 MB are refused").
REFUSING = word_set("refus reject declin deny block forbid prohibit ban exclud")
#: Words that limit as "only" does.
LIMITS = word_set(
    "just alone sole solely merely except unless exclusively nothing limited restricted reserved exclusive"
)
#: From this share on a source clause has all words of the answer's.
ALL_OF_IT = 0.999
#: "None of them, except Ann" does not say that none did.
EXCEPTING = word_set("except but besides apart excluding other unless")
WITHOUT_A_FIGURE = word_set("exceeding exceeds exceed above below")
#: What "only" must stand before, or its subject before, to be missed where it is gone.
TYING = word_set(
    "for to in on at by with from during between through against after before until "
    "für im am bei mit nach bis von pour dans avec chez para en con hasta per nel fino com até для в на при"
)
EVERYBODY = word_set(
    "everyone everybody anyone anybody all todos todas cualquiera alle jeder tous tout chacun tutti chiunque "
    "qualquer все"
)
HELPING = word_set(
    "may can could must shall should will would is are was were has have had do does did might "
    "darf dürfen kann können muss müssen ist sind hat haben peut peuvent doit doivent est sont a ont puede pueden debe "
    "deben es son ha han può possono deve devono è sono ha hanno pode podem deve devem é são tem têm может могут должен"
)
#: "Only" and the same statement without it: so much of either clause the other must hold.
SAME_STATEMENT, SAME_BACK = 0.9, 0.75


@dataclass(frozen=True, slots=True)
class Turned:
    """One word of the answer that the nearest clause contradicts: what is marked, what the source has instead."""

    first: int
    last: int
    kind: str
    aligned: Aligned
    source_first: int
    source_last: int
    replacement: tuple[str, ...]
    note: str


def turn_otherwise(proof: Proof, clause: range, turn: Turn, near: Sequence[Aligned]) -> Turned | None:
    """Whether the nearest clause has another modal, comparator or quantifier before the same word."""
    answer = proof.answer
    anchor = _anchor(answer, clause, turn)
    if anchor is None:
        return None
    if _bounds_nothing(answer, turn):
        return None
    if turn.family == "limiter":
        return _limiter_added(proof, clause, turn, content_of(answer, clause), near)
    agreed = -1.0
    best: tuple[float, Turned] | None = None
    if turn.family == "quantifier" and (turn.first - 1 in signs_of(answer).denials or _is_an_answer(answer, turn)):
        return None  # "not all" is read as a denial, and "none" agrees with it
    shares = _coverages(turn, near)
    for aligned, coverage in zip(near, shares, strict=True):
        if turn.family == "bound" and _speaks_of_the_other_case(answer, clause, aligned):
            continue
        if turn.family.startswith("comparator") and (
            _has_both(aligned, turn) or not _same_event(proof, clause, turn, aligned)
        ):
            continue
        if turn.family == "quantifier" and turn.side in (SOME, FEW, MUCH) and _has_exceptions(aligned):
            continue
        if coverage < (VERY_NEAR if turn.side == "advice" else NEAR_ENOUGH):
            continue
        for other in islice(_turns_before(proof, anchor, turn, aligned), PLACES_OF_ONE):
            if coverage <= agreed:
                break
            if claim_at(answer, turn.first) or claim_at(aligned.view, other.first):
                continue
            if is_asserted(answer, clause, turn.first) != is_asserted(aligned.view, aligned.sentence, other.first):
                continue
            if (
                _same_words(answer, turn, aligned.view, other)
                or not _apart(_read_side(answer, clause, turn), _read_side(aligned.view, aligned.clause, other), turn)
                or _both_denied(answer, clause, turn, aligned, other)
            ):
                agreed = max(agreed, coverage)
            elif best is None or coverage > best[0]:
                best = (coverage, _other_word(answer, turn, aligned, other))
    if best is None or agreed >= best[0] - ABOUT_AS_NEAR:
        return None
    return best[1]


def _speaks_of_the_other_case(answer: TextView, clause: range, aligned: Aligned) -> bool:
    """ "It costs £2.95 under £40" where it is free over £40 and the rest of the sentence has the £2.95."""
    view = aligned.view
    mine = {answer.folds[i] for i in clause if answer.tokens[i].kind == "digits"}
    beside = mine - {view.folds[i] for i in aligned.clause if view.tokens[i].kind == "digits"}
    return bool(beside) and any(view.folds[i] in beside for i in aligned.sentence)


def _coverages(turn: Turn, near: Sequence[Aligned]) -> list[float]:
    """How much of the clause each source clause has, the turn's own words left out ("are advised to").

    Where one clause has all of it, a modal of the clause beside it is of something else: "riders must, adults may".
    """
    shares = [aligned.coverage(without=turn.first) for aligned in near]
    if turn.family != "modality":
        return shares
    own = [aligned.own_coverage(without=turn.first) for aligned in near]
    return own if any(share > ALL_OF_IT for share in own) else shares


def _is_an_answer(view: TextView, turn: Turn) -> bool:
    """Whether a "No" answers the question before the statement: "No, guests pay"; it counts nothing."""
    sentence = view.sentence_at(view.tokens[turn.first].start)
    opens = sentence is not None and sentence.first_token == turn.first
    return opens and view.folds[turn.first] == "no" and view.folds[turn.last : turn.last + 1] == (",",)


def _same_event(proof: Proof, clause: range, turn: Turn, aligned: Aligned) -> bool:
    """Whether the source sentence also tells at least half of what the answer's sentence says happened then."""
    answer = proof.answer
    sentence = answer.sentence_at(answer.tokens[turn.first].start)
    if sentence is None:
        return False
    mine, held = _words_held(answer, sentence, clause, aligned)
    own = [i for i in range(turn.first, turn.last) if i in mine]
    return 2 * (len(held) - sum(i in held for i in own)) >= len(mine) - len(own)


def _words_held(
    answer: TextView, sentence: Sentence, clause: range, aligned: Aligned
) -> tuple[frozenset[int], frozenset[int]]:
    """The words of the answer's sentence, and those of them that the source sentence has; worked out once."""
    key = ("held", clause.start, aligned.index)
    known: tuple[frozenset[int], frozenset[int]] | None = answer.memo.get(key)
    if known is None:
        view = aligned.view
        theirs = frozenset(view.stems[aligned.sentence.start : aligned.sentence.stop])
        content = content_of(answer, range(sentence.first_token, sentence.last_token))
        mine = frozenset(i for i in content if answer.tokens[i].kind == "word")
        held = frozenset(i for i in mine if answer.stems[i] in theirs or i in aligned.meets)
        known = answer.memo[key] = mine, held
    return known


def _same_words(answer: TextView, turn: Turn, view: TextView, other: Turn) -> bool:
    """ "Under six are free" and "under six are not charged": what is denied is not the bound."""
    return turn.family == "bound" and answer.folds[turn.first : turn.last] == view.folds[other.first : other.last]


def _has_exceptions(aligned: Aligned) -> bool:
    return holds_between(places_of(aligned.view, EXCEPTING), aligned.sentence.start, aligned.sentence.stop)


def _bounds_nothing(view: TextView, turn: Turn) -> bool:
    """ "Over time", "under the bed": a bound of one word needs a figure behind it; "above the mark" is one without."""
    if turn.family != "bound" or turn.last - turn.first > 1 or view.folds[turn.first] in WITHOUT_A_FIGURE:
        return False
    if view.language != "en":
        return False
    start, end = view.tokens[turn.first].end, view.tokens[min(turn.last + 3, len(view.tokens)) - 1].end
    return not any(view.value_at(view.tokens[i].start) for i in view.tokens_between(start, end))


def _has_both(aligned: Aligned, turn: Turn) -> bool:
    """Whether the source sentence has the answer's own comparator as well: "before the storm 900, after it 340"."""
    memo = aligned.view.memo
    key = ("sides of", turn.family, aligned.sentence.start)
    known: bool | None = memo.get(key)
    if known is None:
        turns = signs_of(aligned.view).turns_in(aligned.sentence)
        known = memo[key] = len({t.side for t in turns if t.family == turn.family}) > 1
    return known


def _anchor(view: TextView, clause: range, turn: Turn) -> int | None:
    """The word or figure a turn is about: the next content word of the clause, before it for "or more"."""
    content = content_of(view, clause)
    if turn.family == "bound" and view.folds[turn.first] in ("or", "exceeding"):
        before = bisect_left(content, turn.first)
        return content[before - 1] if before else None
    for i in content[bisect_left(content, turn.last) :][:5]:
        if i - turn.last > 4:
            return None
        if view.tokens[i].kind == "digits" or not view.folds[i].endswith("ly"):
            return i
    return None


def _turns_before(proof: Proof, anchor: int, turn: Turn, aligned: Aligned) -> Iterator[Turn]:
    """Turns of the same family that stand before the same word in the source sentence."""
    view = aligned.view
    wanted = proof.answer.stems[anchor]
    for other in signs_of(view).turns_in(aligned.clause):
        if other.family != turn.family:
            continue
        their_anchor = _anchor(view, aligned.clause, other)
        if their_anchor is not None and (
            view.stems[their_anchor] == wanted or their_anchor in aligned.meets.get(anchor, ())
        ):
            yield other


def _read_side(view: TextView, clause: range, turn: Turn) -> str:
    """The side of a turn as its clause means it: "do not take more than" bounds from above."""
    if turn.family == "quantifier" and turn.side == MUCH and turn.first - 1 in signs_of(view).denials:
        return FEW  # "not many"
    if turn.family == "bound" and (signs_of(view).denies_between(clause.start, clause.stop) or _refuses(view, clause)):
        return {"0": "1", "1": "0"}[turn.side]
    return turn.side


def _refuses(view: TextView, clause: range) -> bool:
    places: tuple[int, ...] | None = view.memo.get("refusing")
    if places is None:
        places = view.memo["refusing"] = tuple([i for i, stem in enumerate(view.stems) if stem in REFUSING])
    return holds_between(places, clause.start, clause.stop)


def _apart(mine: str, theirs: str, turn: Turn) -> bool:
    if turn.family == "modality":
        return (mine, theirs) in APART
    if turn.family == "quantifier" and SOME in (mine, theirs):
        return not {mine, theirs} <= {SOME, FEW, MUCH}
    return mine != theirs


def _both_denied(answer: TextView, clause: range, turn: Turn, aligned: Aligned, other: Turn) -> bool:
    """ "May not", "cannot" and "must not" all forbid."""
    if turn.family != "modality":
        return False
    mine, theirs = signs_of(answer).denials, signs_of(aligned.view).denials
    return bool({turn.first, turn.last} & mine.keys() and {other.first, other.last} & theirs.keys())


def _other_word(answer: TextView, turn: Turn, aligned: Aligned, other: Turn) -> Turned:
    view = aligned.view
    said = view.text[view.tokens[other.first].start : view.tokens[other.last - 1].end]
    note = f"the source says {said!r}"
    if turn.family != "modality":
        return Turned(turn.first, turn.last, "comparator", aligned, other.first, other.last, (said,), note)
    first, last, text = modal_swapped(answer, turn, view, other)
    return Turned(first, last, "modality", aligned, other.first, other.last, () if text is None else (text,), note)


def _limits_nothing(view: TextView, turn: Turn) -> bool:
    """ ", only to find him gone" and "only a fraction" set no limit."""
    follows = view.folds[turn.last : turn.last + 1]
    return follows in (("a",), ("an",)) or (follows == ("to",) and view.folds[turn.first - 1 : turn.first] == (",",))


def bounds_turned(answer: TextView, clause: range, aligned: Aligned) -> bool:
    """Whether the two clauses bound from opposite sides, so that one that refuses agrees with one that accepts."""
    mine = {turn.side for turn in signs_of(answer).turns_in(clause) if turn.family == "bound"}
    theirs = {turn.side for turn in signs_of(aligned.view).turns_in(aligned.clause) if turn.family == "bound"}
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _limiter_added(
    proof: Proof, clause: range, turn: Turn, content: Sequence[int], near: Sequence[Aligned]
) -> Turned | None:
    """ "Only" where the source says the same of the same without it."""
    best = max(near, key=lambda a: (a.coverage(), -a.index), default=None)
    sentence = proof.answer.sentence_at(proof.answer.tokens[turn.first].start)
    if sentence is not None and signs_of(proof.answer).denies_between(sentence.first_token, turn.first):
        return None  # "not 7, only 10 and 11"
    if best is None or best.coverage() < SAME_STATEMENT or len(content) < 3 or _limits_nothing(proof.answer, turn):
        return None
    theirs = content_of(best.view, best.clause)
    if not _says_all_of(best, theirs) or bounds_turned(proof.answer, clause, best):
        return None
    if _has_a_limit(best.view, best.sentence):
        return None
    return Turned(
        turn.first, turn.last, "comparator", best, theirs[0], theirs[-1] + 1, ("",), "the source sets no such limit"
    )


def _says_all_of(aligned: Aligned, theirs: Sequence[int]) -> bool:
    """Whether the answer's clause holds most of the content of the source's as well."""
    return sum(1 for t in theirs if t in aligned.met_places) >= SAME_BACK * len(theirs)


def limiter_dropped(proof: Proof, sentence: Sentence, clause: range, content: Sequence[int]) -> Turned | None:
    """ "Members may vote" where the source says that only members may: the mark stands on what "only" limits."""
    answer = proof.answer
    whole = _whole_of_them(answer, clause)
    if (len(content) < 2 and whole is None) or not whose_source_limits(proof, sentence) or limits_in(answer, sentence):
        return None
    near = aligned_clauses(proof, sentence, clause)
    best = max(near, key=lambda a: (a.coverage(without=whole), -a.index), default=None)
    if best is None or best.coverage(without=whole) < SAME_STATEMENT:
        return None
    view = best.view
    limiters = [t for t in signs_of(view).turns_in(best.sentence) if t.family == "limiter"]
    if len(limiters) != 1 or limiters[0].first not in best.clause:
        return None
    limited = _limited_by(view, best.clause, limiters[0])
    ours = [i for i in content if limited is not None and limited in best.meets.get(i, ())]
    theirs = [i for i in content_of(view, best.clause) if i not in (limiters[0].first, None if ours else limited)]
    if not _says_all_of(best, theirs):
        return None
    if not ours and whole is not None:
        ours = [whole]
    if not ours or not _limits_a_case(view, best.clause, limiters[0]) or not _same_figures(answer, clause, best):
        return None
    first, last = sorted((limiters[0].first, limited or limiters[0].first))
    note = f"the source limits this: {view.text[view.tokens[first].start : view.tokens[last].end]!r}"
    return Turned(ours[0], ours[0] + 1, "comparator", best, first, last + 1, (), note)


def _whole_of_them(view: TextView, clause: range) -> int | None:
    """The "everyone" that opens a clause as its whole subject ("Everyone may vote", "Todos pueden votar")."""
    first = next((i for i in clause if view.tokens[i].kind == "word"), None)
    return first if first is not None and view.folds[first] in EVERYBODY and not view.content[first + 1] else None


def whose_source_limits(proof: Proof, sentence: Sentence) -> bool:
    """Whether a near source sentence holds a limiter; worked out once."""
    memo, key = proof.answer.memo, ("limited by a source", sentence.start)
    if key not in memo:
        limited = [signs_of(view).limited for view in proof.sources]
        near = [proof.evidence[index] for index in near_sentences(proof, sentence)] if any(limited) else []
        memo[key] = any(place.sentence in limited[place.source] for place in near)
    return bool(memo[key])


def limits_in(answer: TextView, sentence: Sentence) -> bool:
    """Whether a sentence of the answer sets a limit or denies something itself."""
    inside = range(sentence.first_token, sentence.last_token)
    return _has_a_limit(answer, inside) or signs_of(answer).denies_between(inside.start, inside.stop)


def _has_a_limit(view: TextView, sentence: range) -> bool:
    """Whether a sentence holds a limiter or another word that limits."""
    limited = view.sentence_index_at(view.tokens[sentence.start].start) in signs_of(view).limited
    return limited or holds_between(places_of(view, LIMITS), sentence.start, sentence.stop)


def _limits_a_case(view: TextView, clause: range, limiter: Turn) -> bool:
    """ "Only members may vote", "given only for unopened boxes", "members only"; not "only compress a third"."""
    follows = view.folds[limiter.last : limiter.last + 1]
    if not follows or view.tokens[limiter.last].kind == "sign" or follows[0] in TYING:
        return follows != ("to",) or view.folds[limiter.first - 1 : limiter.first] != (",",)
    opens = all(view.tokens[i].kind == "sign" for i in range(clause.start, limiter.first))
    return opens and any(view.folds[i] in HELPING for i in range(limiter.last + 1, min(limiter.last + 5, clause.stop)))


def _same_figures(answer: TextView, clause: range, aligned: Aligned) -> bool:
    """Whether the source sentence has all figures of the clause: a wrong one says something else anyway."""
    theirs = {aligned.view.folds[i] for i in aligned.sentence}
    return all(answer.folds[i] in theirs for i in clause if answer.tokens[i].kind == "digits")


def _limited_by(view: TextView, clause: range, limiter: Turn) -> int | None:
    """The word that a limiter limits: the next word of content a little behind it, else the one before it."""
    after = [i for i in range(limiter.last, min(limiter.last + 4, clause.stop)) if view.content[i]]
    if after:
        return after[0]
    before = [i for i in range(clause.start, limiter.first) if view.content[i]]
    return before[-1] if before else None
