"""A second look at words that seem to turn a statement round, where two turns may cancel each other.

"No vehicle is prohibited" says what "All vehicles are allowed" says, and "There is no distinction" agrees with "the
distinction is not supported by any evidence". The polarity channel compares word with word; here the two clauses are
read whole, and only those that something was found in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from proofing.documents import Sentence
from proofing.support.agreements import NONE, agree_otherwise, in_a_saying
from proofing.support.alignment import Aligned
from proofing.support.clauses import content_of
from proofing.support.contrasted import contrast_turned, contrasts_swapped
from proofing.support.denials import denials_in
from proofing.support.none_of_them import counted_where_none
from proofing.support.only_one_of import only_where_several
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.turns import FEW, MUCH, SOME, Turned
from proofing.support.wordset import word_set

#: "Almost no" is what "most … not" is.
ALMOST = word_set("almost nearly virtually practically hardly fast beinahe presque casi quasi quase почти")
#: Denials that stand with such a word in one language and deny nothing more ("ни один … не", "aucun … n'est").
IN_CONCORD = {"ru": word_set("не нет"), "fr": word_set("ne n")}
#: Verbs that speak of one thing.
OF_ONE = word_set("is was has does")
#: A mark drawn up to the verb may be so much longer (code points) than twice the word it is about.
LONGER = 14
#: What parts a word from the one that counts it: "has no lights and is prohibited".
PARTING = word_set("and but or und aber oder et mais ou y pero o e ma mas и но , ( ;")
#: Beginnings that make the contrary of a word.
CONTRARY = ("un", "in", "im", "non", "dis", "ir", "il", "не")
#: So many letters a word has at least whose contrary such a beginning makes.
WORD = 4
#: What says of the thing before it that there is no such thing.
_UNFOUNDED = {
    "en": r"(?:\bnot|n['’]t|\bnever)\s+(?:\w+\s+){0,2}(?:supported|backed|borne\s+out|confirmed|substantiated|grounded"
    r"|proven|exist|founded|real)\b|\b(?:no|without|lacks?|little)\s+(?:\w+\s+){0,2}(?:basis|foundation|evidence|merit"
    r"|justification|grounds)\b|\b(?:myth|fallacy|misconception|fiction|fabrication|unsubstantiated|unfounded|unproven"
    r"|unsupported|baseless|groundless|debunked|discredited|disproved|disproven|refuted|imaginary|non-?existent)\b",
    "de": r"\bnicht\s+(?:\w+\s+){0,2}(?:belegt|bestätigt|bewiesen|nachgewiesen|haltbar|begründet)\b|\b(?:ohne|keine|"
    r"keinerlei)\s+(?:\w+\s+)?(?:grundlage|belege|beweise)\b|\b(?:mythos|märchen|trugschluss|unbegründet|unbelegt"
    r"|widerlegt|haltlos)\b",
    "fr": r"\b(?:pas|jamais)\s+(?:\w+\s+){0,2}(?:étayée?s?|confirmée?s?|fondée?s?|prouvée?s?)\b|\b(?:aucun|aucune|sans)"
    r"\s+(?:\w+\s+)?(?:fondement|preuve|base)\b|\b(?:mythe|infondée?s?|réfutée?s?)\b",
    "es": r"\bno\s+(?:\w+\s+){0,2}(?:respaldad[ao]s?|confirmad[ao]s?|demostrad[ao]s?)\b|\b(?:sin|carece\s+de|ningún|"
    r"ninguna)\s+(?:\w+\s+)?(?:fundamento|base|evidencia|pruebas?)\b|\b(?:mito|infundad[ao]s?|refutad[ao]s?)\b",
    "it": r"\bnon\s+(?:\w+\s+){0,2}(?:supportat[aoie]|confermat[aoie]|dimostrat[aoie])\b|\b(?:senza|nessuna?|priv[aoie]"
    r"\s+di)\s+(?:\w+\s+)?(?:fondamento|base|prov[ae])\b|\b(?:mito|infondat[aoie]|smentit[aoie])\b",
    "pt": r"\bnão\s+(?:\w+\s+){0,2}(?:apoiad[ao]s?|confirmad[ao]s?|comprovad[ao]s?)\b|\b(?:sem|nenhum|nenhuma)\s+"
    r"(?:\w+\s+)?(?:fundamento|base|evidência|provas?)\b|\b(?:mito|infundad[ao]s?|refutad[ao]s?)\b",
    "ru": r"\bне\s+(?:\w+\s+){0,2}(?:подтвержден[аоы]?|подтверждён|доказан[аоы]?|обоснован[аоы]?|подтверждается)\b"
    r"|\bне\s+имеет\s+(?:\w+\s+)?оснований\b|\b(?:миф|миф[ао]м?|необоснован\w*|опровергнут\w*)\b",
}  # fmt: skip
#: What sets a second thing beside the first, of which the verdict may be.
_ANOTHER = re.compile(
    r",\s*(?:but|and|though|although|while|aber|und|mais|et|pero|y|ma|e|mas|но|и)\b|\beven where\b|;", re.IGNORECASE
)
_COMPILED = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _UNFOUNDED.items()}
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not|no|never|nicht|kein|keine|pas|non|não|не)|n['’]t)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE
)

#: "A myth that …": the claim that follows is read elsewhere.
_OF_A_CLAIM = re.compile(r",?\s+(?:is\s+)?(?:that|dass|que|che|что)\b", re.IGNORECASE)


def looked_at_again(proof: Proof, sentence: Sentence, clause: range, found: Sequence[Turned]) -> list[Turned]:
    """What is left of the words that turn a clause round once the two clauses are read whole.

    Args:
        proof: the texts.
        sentence: the answer's sentence.
        clause: its clause.
        found: what seems to turn it round, in text order.
    """
    kept: list[Turned] = []
    for turned in found:
        again = _looked_at(proof, sentence, clause, turned)
        if again is not None and all(again != other for other in kept):
            kept.append(again)
    more_of_them = (only_where_several, contrasts_swapped, counted_where_none)
    for more in (turned for read in more_of_them for turned in read(proof, sentence, clause)):
        if not any(more.first < other.last and other.first < more.last for other in kept):
            kept.append(more)
    return kept


def _looked_at(proof: Proof, sentence: Sentence, clause: range, turned: Turned) -> Turned | None:
    answer, aligned = proof.answer, turned.aligned
    if in_a_saying(answer, turned.first):
        return None
    if turned.kind == "negation" and _is_unfounded(answer, sentence, clause, aligned):
        return None
    if agree_otherwise(answer, sentence, clause, turned):
        return None
    both = _turned_twice(answer, clause, turned)
    if both is not None:
        return _with_its_share(answer, turned, both)
    if turned.kind == "negation":
        return contrast_turned(proof, sentence, turned)
    return _counted_alike(answer, clause, turned) if turned.kind == "comparator" else turned


# --- a denial of the opposite -----------------------------------------------------------------------------------


def _turned_twice(answer: TextView, clause: range, turned: Turned) -> tuple[int, int, int, int] | None:
    """ "None … unsafe" for "all … safe": none-word and opposite of the answer, and of the source; -1 where none is."""
    aligned = turned.aligned
    for head, token in _opposites(answer, clause, aligned):
        if turned.kind == "negation" and turned.first not in (head, _none_before(answer, clause, head)):
            continue
        mine = _none_before(answer, clause, head)
        theirs = _none_before(aligned.view, aligned.clause, token)
        if (mine < 0) == (theirs < 0):
            continue
        if not _denies_besides(answer, clause, mine) and not _denies_besides(aligned.view, aligned.clause, theirs):
            return mine, head, theirs, token
    return None


def _opposites(answer: TextView, clause: range, aligned: Aligned) -> Iterator[tuple[int, int]]:
    """Words of the answer's clause with a word of the source's that says the contrary."""
    view, mine, theirs = aligned.view, signs_of(answer).axes, signs_of(aligned.view).axes
    there = {view.folds[i]: i for i in content_of(view, aligned.clause)}
    for head in content_of(answer, clause):
        sides = dict(mine.get(head, ()))
        for token in aligned.here.get(head, ()):
            if any(sides.get(axis) == -side for axis, side in theirs.get(token, ())):
                yield head, token
        for token in _contraries(answer.folds[head], there):
            yield head, token


def _contraries(fold: str, there: dict[str, int]) -> Iterator[int]:
    for prefix in CONTRARY:
        if fold.startswith(prefix) and len(fold) >= WORD + len(prefix) and fold[len(prefix) :] in there:
            yield there[fold[len(prefix) :]]
        if len(fold) >= WORD and prefix + fold in there:
            yield there[prefix + fold]


def _none_before(view: TextView, clause: range, head: int) -> int:
    """The word before `head` in its clause that says it of none ("no vehicle is prohibited"); -1 where none does."""
    for i in range(head - 1, clause.start - 1, -1):
        if view.folds[i] in PARTING:
            return -1
        if view.folds[i] in NONE and not (view.folds[i] == "no" and view.language in ("es", "pt", "it")):
            return -1 if view.folds[i + 1 : i + 2] in ((",",), ("more",), ("less",), ("longer",)) else i
    return -1


def _denies_besides(view: TextView, clause: range, none: int) -> bool:
    """Whether a clause denies anything apart from its none-word and what only goes with that."""
    idle = IN_CONCORD.get(view.language, frozenset())
    return any(
        i != none and not (none >= 0 and view.folds[i] in idle) and view.folds[i] not in ALMOST
        for i in denials_in(view, clause)
    )  # fmt: skip


def _with_its_share(answer: TextView, turned: Turned, both: tuple[int, int, int, int]) -> Turned | None:
    """None where the two clauses agree; where one says it only of most or of some, one mark from quantifier to word."""
    none, head, theirs, token = both
    view = turned.aligned.view
    plain, clause, word, other = (view, turned.aligned.clause, token, answer) if none >= 0 else (
        answer, range(answer.sentence_at(answer.tokens[head].start).first_token, head + 1), head, view)  # type: ignore[union-attr]  # fmt: skip
    share = next((t for t in signs_of(plain).turns_in(range(clause.start, word)) if t.family == "quantifier"), None)
    at = none if none >= 0 else theirs
    almost = at > 0 and other.folds[at - 1] in ALMOST
    if share is None or share.side not in (SOME, FEW, MUCH) or (share.side == MUCH and almost):
        return None
    if none < 0:
        return turned if turned.kind == "comparator" else None
    said = view.text[view.tokens[share.first].start : view.tokens[token].end]
    first = none - 1 if almost else none
    note = f"the source says {said!r}"
    return Turned(first, head + 1, "comparator", turned.aligned, share.first, token + 1, (said,), note)


def _counted_alike(answer: TextView, clause: range, turned: Turned) -> Turned:
    """A source's "all" for a "no" or "none" in words that go with a verb that speaks of one ("no vehicle is")."""
    view, folds = turned.aligned.view, answer.folds
    first, last = turned.first, turned.last
    if folds[first] not in NONE or not turned.replacement or last >= min(clause.stop, len(folds) - 1):
        return turned
    if answer.language != "en":
        return _with_its_verb(answer, clause, turned)
    if turned.replacement[0].casefold() not in ("all", "every", "each"):
        return turned
    if folds[last] == "of":
        one = any(fold in OF_ONE for fold in folds[last : clause.stop])
        return replace(turned, replacement=("every one" if one else "all",))
    theirs = turned.source_last
    same = theirs < len(view.stems) and answer.stems[last] == view.stems[theirs]
    if same and folds[last] != view.folds[theirs] and not folds[last].endswith("s"):
        return replace(turned, replacement=("every",))
    return turned


def _with_its_verb(answer: TextView, clause: range, turned: Turned) -> Turned:
    """The mark drawn up to what is said of the thing counted, where the source says the same of all of them.

    "Ninguna entrada está abierta" becomes "Todas las entradas están abiertas": the number changes in every word.
    """
    aligned = turned.aligned
    mine = [i for i in content_of(answer, clause) if i >= turned.last][:2]
    theirs = [i for i in content_of(aligned.view, aligned.clause) if i >= turned.source_last][:2]
    if (
        len(mine) < 2
        or len(theirs) < 2
        or any(b not in aligned.meets.get(a, ()) for a, b in zip(mine, theirs, strict=True))
    ):
        return turned
    start, end = answer.tokens[turned.first].start, answer.tokens[mine[1]].end
    if end - start > 2 * (answer.tokens[turned.last - 1].end - start) + LONGER:
        return turned  # a mark must still show which word it is about
    tokens = aligned.view.tokens
    said = aligned.view.text[tokens[turned.source_first].start : tokens[theirs[1]].end]
    return replace(turned, last=mine[1] + 1, source_last=theirs[1] + 1, replacement=(said,))


# --- what is said to have no basis ------------------------------------------------------------------------------


def _is_unfounded(answer: TextView, sentence: Sentence, clause: range, aligned: Aligned) -> bool:
    """Whether one side denies that there is something, and the other calls the same thing unfounded."""
    view = aligned.view
    theirs = view.sentence_at(view.tokens[aligned.sentence.start].start)
    if theirs is None:
        return False
    there = _verdict_in(view, range(view.tokens[aligned.clause.start].start, theirs.end))
    if there is not None and _ANOTHER.search(view.text, view.tokens[aligned.clause.start].start, there):
        return False  # "there is a link, but its cause is unproven"
    here = _verdict_in(answer, range(answer.tokens[clause.start].start, sentence.end))
    if (there is None) == (here is None):
        return False
    if there is not None:
        return _denies(answer, clause) and any(view.tokens[i].start < there for i in aligned.met_places)
    return _denies(view, aligned.clause)


def _denies(view: TextView, clause: range) -> bool:
    return signs_of(view).denies_between(clause.start, clause.stop)


def _verdict_in(view: TextView, span: range) -> int | None:
    """Where a stretch says that what it names before has no basis; None where it does not."""
    pattern = _COMPILED.get(view.language)
    for found in pattern.finditer(view.text, span.start, span.stop) if pattern else ():
        before = view.text[max(span.start, found.start() - 24) : found.start()]
        if not (_DENIED_BEFORE.search(before) or _OF_A_CLAIM.match(view.text, found.end())):
            return found.start()
    return None
