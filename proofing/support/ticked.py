"""Clauses of the answer against the yes and no cells of tables: "Pro includes SSO" where its row says no.

A cell is spoken of when a clause names its feature and its sentence (else the question) names its row, and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from proofing.documents import Sentence
from proofing.support.base import Judgement
from proofing.support.checklists import CLAIMING, Tick, is_checklist_row, ticks_of
from proofing.support.lexical import are_cognates
from proofing.support.polarity import AUXILIARIES
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.words import synonyms
from proofing.support.wordset import word_set

#: Words after which the other half of a sentence begins, and those that may join two statements.
TURNING = word_set(
    "but however while whereas although though yet unlike except without aber sondern während ohne mais tandis sauf "
    "sans pero mientras salvo sin ma mentre tranne senza mas enquanto exceto sem но тогда кроме без"
)
JOINING = word_set("and or und oder et ou y o e ed и или as")
#: A sentence with one of these compares, supposes or says what it does not know: no cell is held against it.
UNSURE = word_set(
    "if whether unless unclear unknown most some least falls wenn ob si se если whether than instead both each all "
    "every either"
)
#: Denials that end a statement ("la piscina no").
DENYING = word_set("no not nicht nein non não нет")
#: The words of a feature stand at most so many tokens apart; the claim at most so many from it.
APART, CLAIM_REACH = 5, 4
#: Shorter words of a header must match as they are.
COGNATE_LENGTH = 6
_VERB_FIRST = re.compile(r"[A-Za-z][a-z]+s[ ][A-Za-z]")
#: Support of what a cell denies.
TICKED_OFF = 0.05


def against_ticks(proof: Proof) -> list[Judgement]:
    """``negated`` where a clause says there is what a cell denies, or the reverse; nothing where it is not sure."""
    ticks = [tick for view in proof.sources for tick in ticks_of(view)]
    if not ticks:
        return []
    out: list[Judgement] = []
    for sentence in proof.answer.sentences:
        if not sentence.text.rstrip().endswith(("?", "？")):
            out += _in_sentence(proof, sentence, ticks)
    return out


def _in_sentence(proof: Proof, sentence: Sentence, ticks: Sequence[Tick]) -> Iterator[Judgement]:
    answer = proof.answer
    whole = range(sentence.first_token, sentence.last_token)
    if any(answer.folds[i] in UNSURE for i in whole):
        return
    said = False
    for part in _parts(answer, whole):
        before = range(whole.start, part.stop)
        denied = [i for i in part if _denies(answer, i) and not _only_answers(answer, i)]
        claims = [i for i in part if answer.folds[i] in CLAIMING or answer.folds[i] in AUXILIARIES]
        told = bool(denied or claims or said)
        said = told
        spoken = [(tick, places) for tick in ticks if (places := _named(answer, tick.feature, part))]
        spoken = [(tick, places) for tick, places in spoken if told or _is_a_statement(tick)]
        spoken = _fullest(spoken)
        meant = [(tick, places) for tick, places in spoken if _owner_is_meant(proof, tick, ticks, part, before, whole)]
        if meant and all(tick.holds == bool(denied) for tick, _ in meant) and not _said_in_prose(proof, meant[0][0]):
            yield _judgement(proof, *meant[0], denied, claims)


def _is_a_statement(tick: Tick) -> bool:
    """Whether a header says what its row does ("Works offline", "Exports PDF"): naming it is claiming it."""
    return len(tick.feature) > 1 and bool(tick.owner) and _VERB_FIRST.match(tick.passage.column) is not None


def _denies(view: TextView, i: int) -> bool:
    return i in signs_of(view).denials or view.folds[i] in DENYING


def _only_answers(view: TextView, i: int) -> bool:
    """The "No" of "No, it is open": what follows says it again."""
    return view.folds[i + 1 : i + 2] == (",",) and view.folds[i] in ("no", "nein", "non", "não", "нет")


def _parts(view: TextView, sentence: range) -> list[range]:
    """A sentence cut at every sign, turning word and "and" that opens a statement of its own."""
    starts = [sentence.start]
    for i in sentence:
        fold = view.folds[i]
        opens = fold in JOINING and _opens_a_statement(view, i, sentence)
        turns = fold in TURNING and not _ends_in_a_denial(view, i, sentence)
        if i > starts[-1] and (turns or view.tokens[i].text in ",;:.()—–" or opens):
            starts.append(i)
    return [range(a, b) for a, b in zip(starts, [*starts[1:], sentence.stop], strict=True)]


def _ends_in_a_denial(view: TextView, i: int, sentence: range) -> bool:
    """The "aber nicht" of "ein Parkplatz aber nicht.": it denies what stands before it."""
    after = view.tokens[i + 2].text if i + 2 < sentence.stop else "."
    return i + 1 < sentence.stop and view.folds[i + 1] in DENYING and after in ".,;!"


def _opens_a_statement(view: TextView, i: int, sentence: range) -> bool:
    """Whether "and" is followed by a denial, or by a subject with a verb of its own after a verb before it."""
    signs = signs_of(view)
    after = range(i + 1, min(i + 1 + APART, sentence.stop))
    verbs = [k for k in after if view.folds[k] in AUXILIARIES or view.folds[k] in CLAIMING]
    denials = [k for k in after if k in signs.denials and view.folds[k] not in ("nor", "noch", "ni", "né", "nem")]
    before = range(max(i - 2 * APART, sentence.start), i)
    stated = any(view.folds[k] in AUXILIARIES or view.folds[k] in CLAIMING or k in signs.denials for k in before)
    return bool(denials) or bool(verbs and stated)


def _named(view: TextView, stems: tuple[str, ...], tokens: range) -> list[int]:
    """The tokens that name a header: each of its words, near together; empty where one is missing."""
    joined = "".join(stems)
    whole = [i for i in tokens if view.stems[i] == joined]
    if whole:
        return whole[:1]
    found = []
    for stem in stems:
        place = next((i for i in tokens if _says(view, i, stem)), None)
        if place is None:
            return []
        found.append(place)
    return found if max(found) - min(found) <= APART else []


def _says(view: TextView, i: int, stem: str) -> bool:
    other = view.stems[i]
    if not other:
        return False
    if other == stem or other in synonyms(view.language).get(stem, ()):
        return True
    return len(stem) >= COGNATE_LENGTH and are_cognates(stem, other)


def _fullest(spoken: Sequence[tuple[Tick, list[int]]]) -> list[tuple[Tick, list[int]]]:
    """Of two features of which one is part of the other ("API", "API access") the longer."""
    names = {tick.feature for tick, _ in spoken}
    return [(t, p) for t, p in spoken if not any(set(t.feature) < set(name) for name in names)]


def _owner_is_meant(
    proof: Proof, tick: Tick, ticks: Sequence[Tick], part: range, before: range, sentence: range
) -> bool:
    """Whether the clause, else the sentence up to it, else all of it, else the question names the row and no other."""
    if not tick.owner:
        return True
    owners = {other.owner for other in ticks if other.view is tick.view and other.owner}
    asked = range(len(proof.question.tokens))
    for view, tokens in (
        (proof.answer, part), (proof.answer, before), (proof.answer, sentence), (proof.question, asked)
    ):  # fmt: skip
        named = {owner for owner in owners if _named(view, owner, tokens)}
        named = {owner for owner in named if not any(set(owner) < set(other) for other in named)}
        if named:
            return named == {tick.owner} or (tick.owner in named and view is proof.answer and tokens is part)
    return len(owners) == 1


def _said_in_prose(proof: Proof, tick: Tick) -> bool:
    """Whether a sentence of a source outside the table speaks of the same: then the cell alone decides nothing."""
    wanted = (*tick.feature, *tick.owner)
    for view in proof.sources:
        for sentence in view.sentences:
            if not is_checklist_row(view, sentence) and not _heads_the_table(tick, view, sentence):
                held = frozenset(view.stems_in(sentence))
                if all(stem in held for stem in wanted):
                    return True
    return False


def _heads_the_table(tick: Tick, view: TextView, sentence: Sentence) -> bool:
    """Whether a sentence is a line of a table: its headers or another of its rows."""
    return view is tick.view and ("|" in sentence.text or "\t" in sentence.text or "<t" in sentence.text)


def _judgement(
    proof: Proof, tick: Tick, places: Sequence[int], denied: Sequence[int], claims: Sequence[int]
) -> Judgement:
    """The mark covers the feature with the denial or the claim beside it."""
    answer = proof.answer
    near = [i for i in chain(denied or claims) if min(abs(i - p) for p in places) <= CLAIM_REACH]
    first, last = min([*places, *near[:1]]), max([*places, *near[:1], *([] if denied else near[-1:])])
    start, end = answer.tokens[first].start, answer.tokens[last].end
    says = tick.view.text[tick.passage.start : tick.passage.end]
    about = ", ".join(part for part in (tick.passage.row, tick.passage.column) if part)
    note = f"the table says {says} ({about})"
    receipt = receipt_on(tick.view, tick.passage.start, tick.passage.end, note)
    return Judgement(
        start, end, answer.text[start:end], "negation", TICKED_OFF, "negated", receipt, note=note, whole=True,
        channel="fields",
    )  # fmt: skip
