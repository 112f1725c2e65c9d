"""The field channel: yes, no and unknown in records (JSON objects, Python literals) and tables.

``DogsAllowed: None`` is neither yes nor no, so both "dogs are allowed" and "dogs are not allowed" go beyond it;
``Terrace: True`` speaks against "there is no terrace". A field is spoken of when all words of its key stand in
one clause of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proofing.documents import Passage
from proofing.support.base import Judgement
from proofing.support.lexical import COGNATE_LETTERS, are_cognates
from proofing.support.polarity import AUXILIARIES
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.rows import cells_misplaced
from proofing.support.stems import stem_of
from proofing.support.ticked import against_ticks
from proofing.support.words import synonyms
from proofing.support.wordset import word_set

#: What a field's text means; anything else is no matter of yes and no.
UNKNOWN = frozenset({"none", "null", "nan", "n/a", "unknown", ""})
YES = frozenset({"true", "yes"})
NO = frozenset({"false", "no"})
#: Words of keys that say nothing about what the field holds.
IDLE_KEYS = word_set(
    "restaurant busines business attribut accept info detail option be has have by for good featur servic typ",
)
#: A clause with one of these speaks about not knowing, which is right for an unknown field.
NOT_KNOWING = word_set(
    "know whether unknown specif specify information mention clear unclear provid stat indicat list data",
    "detail confirm attribut review reviewer prais describ",
)
#: Words after which the other half of a sentence begins.
TURNING = word_set("but however while although though whereas yet despite with")
#: A half sentence that begins so ends at the comma before the next statement.
OPENING = TURNING | word_set("without besides unlike since because")
VERB_REACH = 7
SUBJECTS = word_set("it they he she there we you")
#: A clause that claims something to be there has one of these.
HAVING = word_set(
    "offer provid has have had hav there with avail includ featur serv accept allow permit be",
)
#: What guests describe whether or not the record has a field for it.
DESCRIBED = frozenset({"ambience"})
#: The words of one key stand at most so many tokens apart, and a mark from key to denial is at most so long.
KEY_APART = 6
LONGEST = 40
#: Shorter words of a key must match as they are.
COGNATE_LENGTH = 6
#: Support of what a field denies, and of what it leaves open.
DENIED, OPEN = 0.05, 0.15
#: So many tokens behind a key "allowed" and its like are taken into a mark.
CLAIMED = 3
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


@dataclass(frozen=True, slots=True)
class Field:
    """One yes, no or unknown of a record, with the stems of the words that name it."""

    view: TextView
    passage: Passage
    stems: tuple[str, ...]
    says: str  # "yes", "no" or "unknown"


class FieldChannel:
    """Compares clauses of the answer with the yes, no and unknown fields of records, and with cells of tables."""

    name = "fields"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """``negated`` where a field says the contrary, ``absent`` where it leaves open what the answer claims."""
        out = [*against_ticks(proof), *cells_misplaced(proof)]
        fields = [f for view in proof.sources if view.is_record for f in _fields(view)]
        if not fields:
            return out
        answer = proof.answer
        for sentence in answer.sentences:
            for part in _parts(answer, range(sentence.first_token, sentence.last_token)):
                out += _against(proof, part, fields)
        return out


def _parts(view: TextView, sentence: range) -> list[range]:
    """A sentence cut where its yes may turn into a no: a list after one "not" stays whole."""
    starts = [sentence.start]
    for i in sentence:
        if i > starts[-1] and (
            view.folds[i] in TURNING
            or view.tokens[i].text in ";.("
            or _new_verb(view, i)
            or (view.folds[starts[-1]] in OPENING and view.tokens[i].text == "," and _verb_follows(view, i, sentence))
        ):
            starts.append(i)
    return [range(a, b) for a, b in zip(starts, [*starts[1:], sentence.stop], strict=True)]


def _verb_follows(view: TextView, comma: int, sentence: range) -> bool:
    """Whether a statement of its own comes after a comma: "Despite not offering WiFi, the cafe has …"."""
    if view.folds[comma + 1 : comma + 2] in (("or",), ("nor",)):
        return False  # the last of a list: "no garage, street, or valet parking is provided"
    for i in range(comma + 1, min(comma + 1 + VERB_REACH, sentence.stop)):
        if view.tokens[i].kind == "sign" and view.tokens[i].text not in "'’-":
            return False
        if view.stems[i] in HAVING or view.folds[i] in AUXILIARIES:
            return True
    return False


def _new_verb(view: TextView, i: int) -> bool:
    """Whether "and" opens a statement of its own ("and does not require") and not the next thing of a list."""
    if i + 1 >= len(view.folds):
        return False
    follows = view.folds[i + 1]
    if view.folds[i] == ",":
        return follows in SUBJECTS
    if view.folds[i] != "and":
        return False
    return (
        follows in AUXILIARIES
        or (follows.endswith("n") and view.folds[i + 2 : i + 3] == ("'",))
        or (view.stems[i + 1] in HAVING)
    )


def _fields(view: TextView) -> Iterator[Field]:
    for passage in view.passages:
        if passage.kind != "field" or not passage.key_path:
            continue
        text = view.text[passage.start : passage.end].strip("'\" ").lower()
        if text == "none" and view.text[max(passage.start - 1, 0) : passage.start + 1].strip()[:1] in ("'", '"'):
            text = "no"  # a field that says "none" in words has none of it; a bare None is not known
        says = "unknown" if text in UNKNOWN else "yes" if text in YES else "no" if text in NO else ""
        if not says:
            continue
        stems = _key_stems(passage.key_path[-1], view.language)
        if len(stems) == 1 and len(passage.key_path) > 1:
            parent = _key_stems(passage.key_path[-2], view.language)
            stems = tuple(dict.fromkeys((*stems, *parent)))
        if stems:
            yield Field(view, passage, stems, says)


def _key_stems(key: str, language: str) -> tuple[str, ...]:
    stems = [stem_of(word.casefold(), language) for word in _WORDS.findall(key)]
    return tuple(stem for stem in stems if stem not in IDLE_KEYS)


def _against(proof: Proof, part: range, fields: Sequence[Field]) -> Iterator[Judgement]:
    answer = proof.answer
    places: dict[str, int] = {}
    for i in part:
        if answer.stems[i] and not (answer.stems[i] == "lot" and answer.folds[i + 1 : i + 2] == ("of",)):
            places.setdefault(answer.stems[i], i)
    signs = signs_of(answer)
    denied = [i for i in part if i in signs.denials]
    closed = [i for i in denied if i > part.start and answer.tokens[i - 1].text == "," and answer.folds[i] == "without"]
    for field in fields:
        tokens = _spoken_of(field, places, answer.language)
        if not tokens or _said_in_prose(proof, field):
            continue
        if field.says == "yes" and any(i > max(tokens) for i in closed):
            continue  # "is casual, without any style": the denial is of what follows it
        if field.says == "yes" and denied and all(_is_of_the_next(answer, max(tokens), i) for i in denied):
            continue  # "park on the street, and valet parking is not available"
        contrary = (field.says == "yes" and denied) or (field.says == "no" and not denied)
        open_claim = (
            field.says == "unknown"
            and field.passage.key_path[-1].casefold() not in DESCRIBED
            and (denied or not HAVING.isdisjoint(places))
            and not _not_known(answer, part)
        )
        if contrary or open_claim:
            yield _judgement(proof, field, tokens, denied)


def _is_of_the_next(view: TextView, last: int, denial: int) -> bool:
    """Whether a denial stands behind a comma with "and" or "but" after the words that name a field."""
    between = view.folds[last + 1 : denial]
    return any(
        between[i : i + 1] == (",",) and between[i + 1 : i + 2] in (("and",), ("but",)) for i in range(len(between))
    )


def _spoken_of(field: Field, places: dict[str, int], language: str) -> list[int]:
    """The tokens that name the field: each word of its key, or all written as one; empty when it is not named."""
    joined = places.get("".join(field.stems))
    if joined is not None:
        return [joined]
    found: list[int] = []
    for stem in field.stems:
        place = _place(stem, places, language)
        if place is None:
            return []
        found.append(place)
    return [] if found and max(found) - min(found) > KEY_APART else found


def _not_known(view: TextView, part: range) -> bool:
    sentence = view.sentence_at(view.tokens[part.start].start)
    around = range(sentence.first_token, sentence.last_token) if sentence else part
    return any(view.stems[i] in NOT_KNOWING for i in around)


def _place(stem: str, places: dict[str, int], language: str) -> int | None:
    if stem in places:
        return places[stem]
    kin = places.keys() & synonyms(language).get(stem, frozenset())
    if kin:
        return places[min(kin)]
    if len(stem) < COGNATE_LENGTH:
        return None
    opening = stem[:COGNATE_LETTERS]
    return next((i for other, i in places.items() if other.startswith(opening) and are_cognates(stem, other)), None)


def _said_in_prose(proof: Proof, field: Field) -> bool:
    """Whether other text (a review, the record's own name, another source) speaks of the same: then the field alone
    decides nothing."""
    kin = [{stem, *synonyms(field.view.language).get(stem, ())} for stem in field.stems]
    return any(all(not k.isdisjoint(stems) for k in kin) for view in proof.sources for stems in _prose_stems(view))


def _prose_stems(view: TextView) -> list[frozenset[str]]:
    """Stems of each text field of a record, sentence by sentence for long ones; of each sentence of prose."""
    known: list[frozenset[str]] | None = view.memo.get("prose stems")
    if known is None:
        known = []
        if view.is_record:
            for p in view.passages:
                tokens = view.tokens_between(p.start, p.end)
                known.extend(frozenset(view.stems[i] for i in part) for part in _by_sentence(view, tokens))
        else:
            known = [frozenset(view.stems_in(s)) for s in view.sentences]
        view.memo["prose stems"] = known
    return known


def _by_sentence(view: TextView, tokens: range) -> list[range]:
    inner = range(tokens.start + 1, tokens.stop - 1)
    starts = [tokens.start, *(i + 1 for i in inner if view.tokens[i].text in ".!?")]
    return [range(a, b) for a, b in zip(starts, [*starts[1:], tokens.stop], strict=True)]


def _judgement(proof: Proof, field: Field, tokens: Sequence[int], denied: Sequence[int]) -> Judgement:
    """The mark reaches from the key's words to the denial that speaks of them, when it stands near."""
    answer = proof.answer
    near = [i for i in denied if min(abs(i - t) for t in tokens) <= KEY_APART]
    first, last = min([*tokens, *near]), max([*tokens, *near])
    if answer.tokens[last].end - answer.tokens[first].start > LONGEST:
        first, last = min(tokens), max(tokens)
    if near and last in near and last + 1 < len(answer.tokens) and answer.content[last + 1]:
        last += 1
    if not denied:  # "Pets are allowed": what is claimed of them is marked with them
        after = range(last + 1, min(last + 1 + CLAIMED, len(answer.tokens)))
        verb = next((i for i in after if answer.content[i] or answer.tokens[i].kind == "sign"), None)
        if verb is not None and answer.stems[verb] in HAVING and answer.tokens[verb - 1].end > answer.tokens[last].end:
            last = verb
    start, end = answer.tokens[first].start, answer.tokens[last].end
    key = ".".join(field.passage.key_path)
    unknown = field.says == "unknown"
    note = f"{key} is unknown in the source, which is neither yes nor no" if unknown else f"{key} says {field.says}"
    receipt = receipt_on(field.view, field.passage.start, field.passage.end, note)
    return Judgement(
        start, end, answer.text[start:end], "negation" if denied or not unknown else "word",
        OPEN if unknown else DENIED, "absent" if unknown else "negated", receipt, note=note, whole=True,
        channel="fields",
    )  # fmt: skip
