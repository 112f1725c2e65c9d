"""The invention channel: what only the whole picture shows.

A clause hardly a word of which stands in the sources is invented, whatever it is about, and becomes one mark. A
single word that replaces the source's word between the very same neighbours is swapped ("rosuvastatin" for
"atorvastatin"), when it is a rare word or one that excludes the other ("left" and "right").
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache

from proofing.checks.claims import claims_of
from proofing.documents import Sentence
from proofing.support.alignment import near_sentences
from proofing.support.base import Judgement
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.denials import denial_of
from proofing.support.lexical import are_cognates
from proofing.support.names import titles
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.stems import stem_of
from proofing.support.venues import places_swapped
from proofing.support.words import common_words, contrasts, function_words, synonyms, vague_words
from proofing.support.wordset import word_set

#: A clause is invented when at most this share of its content (by rarity) is backed, and it has so many content words.
INVENTED_SHARE = 0.08
INVENTED_WORDS = 3
#: What its unbacked words must weigh together: a rare word says more than an everyday one, and words of judgement or
#: politeness ("a pleasant experience overall") say nothing that a source could back. A whole sentence needs less.
INVENTED_WEIGHT, INVENTED_WHOLE = 4, 3
RARE, EVERYDAY, VAGUE = 2, 1, 0
#: A clause of this weight is invented although up to this share of its content is backed.
HEAVY, HEAVY_SHARE = 6, 0.25
#: Less support than this (a far synonym, a word of the question) backs no clause.
SOMEHOW_BACKED = 0.6
#: From this support on a word counts as backed where it stands.
BACKED = 0.7
#: Share of the other content words that must stand in the same source sentence before a word counts as swapped.
SAME_OTHERWISE = 0.6
SWAPPED, INVENTED = 0.05, 0.0
#: Words behind a comparative.
COMPARING = word_set("than als que che чем di de")
#: A clause with so many of the words below is no claim about the matter.
SPEAKS_OF_ITSELF = 2
#: Words an answer uses to speak about itself or its sources; they are no content of a claim.
ABOUT_ITSELF = word_set(
    "answer question passag context information summary articl sourc text document provid mention stat",
    "bas given accord section unable contain consult important recommended recommend follow abov below",
    "author writer conclud reflect additional addit resourc task",
    "conclusion overall detail specif explicit refer provided note",
)


class InventionChannel:
    """Finds invented clauses and swapped words, from the scores of the channels before it."""

    name = "invention"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """``absent`` over whole invented clauses, ``contradicted`` on swapped words."""
        if not proof.evidence:
            return []
        support = _support_by_token(proof, earlier)
        corrected = sorted(j.start for j in earlier if j.checked_by == "arithmetic" and j.reason and j.replacements)
        out: list[Judgement] = []
        for sentence in claims_of(proof):
            invented = list(_invented(proof, sentence, support, corrected))
            out += invented
            if not invented:
                out += _swapped(proof, sentence, support)
        claims = {sentence.start for sentence in claims_of(proof)}
        for sentence in proof.answer.sentences:  # "Газета выходит ежедневно": too short for a claim
            if sentence.start not in claims and not sentence.text.rstrip().endswith(("?", "？", ":")):
                out += _swapped(proof, sentence, support, by_contrast=True)
        marked = {judgement.start for judgement in out}
        return out + [place for place in places_swapped(proof) if place.start not in marked]


def _support_by_token(proof: Proof, earlier: Sequence[Judgement]) -> dict[int, float]:
    """Weakest support said of each scored token; a supported value or name lifts its tokens to 1."""
    found: dict[int, float] = {}
    for judgement in earlier:
        for i in proof.answer.tokens_between(judgement.start, judgement.end):
            found[i] = min(found.get(i, 1.0), judgement.support)
    return found


def _invented(
    proof: Proof, sentence: Sentence, support: dict[int, float], corrected: Sequence[int]
) -> Iterator[Judgement]:
    """Invented clauses; one that holds a value which a source corrects speaks of what the source speaks of."""
    answer = proof.answer
    whole = range(sentence.first_token, sentence.last_token)
    if not _holds(answer, whole, corrected) and _is_invented(proof, whole, support, INVENTED_WHOLE):
        yield _invention(proof, whole)
        return
    number = answer.sentence_index_at(sentence.start)
    for clause in clause_ranges(answer, number or 0):
        if _holds(answer, clause, corrected):
            continue
        if len(clause) < len(whole) and _is_invented(proof, clause, support, INVENTED_WEIGHT):
            yield _invention(proof, clause)


def _holds(view: TextView, tokens: range, places: Sequence[int]) -> bool:
    start, end = view.tokens[tokens.start].start, view.tokens[tokens.stop - 1].end
    at = bisect_left(places, start)
    return at < len(places) and places[at] < end


def _is_invented(proof: Proof, tokens: range, support: dict[int, float], weight: int) -> bool:
    answer = proof.answer
    if _states_a_backed_value(answer, tokens, support):
        weight = HEAVY  # "operates from 5 to 9 on weekdays" says in its own words what a record lists
    if sum(1 for i in tokens if answer.stems[i] in ABOUT_ITSELF) >= SPEAKS_OF_ITSELF:
        return False
    scored = [i for i in content_of(answer, tokens) if i in support and answer.stems[i] not in ABOUT_ITSELF]
    if len(scored) < INVENTED_WORDS:
        return False
    total = sum(proof.rarity(answer.stems[i]) for i in scored)
    backed = sum(proof.rarity(answer.stems[i]) * support[i] for i in scored if support[i] >= SOMEHOW_BACKED)
    stated = _weight(proof, scored, support)
    if stated >= HEAVY and backed <= HEAVY_SHARE * total:
        return True
    if backed > INVENTED_SHARE * total or stated < weight:
        return False
    return len(scored) > INVENTED_WORDS or not any(support[i] for i in scored)


def _states_a_backed_value(view: TextView, tokens: range, support: Mapping[int, float]) -> bool:
    return any(
        support.get(i, 0.0) >= BACKED and view.tokens[i].kind == "digits" and view.value_at(view.tokens[i].start)
        for i in tokens
    )


def _weight(proof: Proof, scored: Sequence[int], support: Mapping[int, float]) -> int:
    """How much the unbacked words of a clause state; the question's own words add nothing to it."""
    answer, asked = proof.answer, proof.question.stem_set
    common, vague = common_words(answer.language), vague_words(answer.language)
    words = [i for i in scored if answer.value_at(answer.tokens[i].start) is None]  # values have their own channel
    unbacked = [answer.stems[i] for i in words if support[i] < SOMEHOW_BACKED and answer.stems[i] not in asked]
    return sum(VAGUE if stem in vague else EVERYDAY if stem in common else RARE for stem in unbacked)


def _invention(proof: Proof, tokens: range) -> Judgement:
    from proofing.marks import nearest_receipt

    answer = proof.answer
    first, last = tokens.start, tokens.stop - 1
    while first < last and (
        answer.tokens[first].kind == "sign" or answer.folds[first] in ("and", "but", "or", "which")
    ):
        first += 1
    while last > first and answer.tokens[last].kind == "sign":
        last -= 1
    start, end = answer.tokens[first].start, answer.tokens[last].end
    receipt = nearest_receipt(proof, start, end, "no source says anything like this; the nearest sentence is shown")
    return Judgement(
        start, end, answer.text[start:end], "word", INVENTED, "absent", receipt, whole=True, channel="invention"
    )


def _swapped(
    proof: Proof, sentence: Sentence, support: dict[int, float], by_contrast: bool = False
) -> Iterator[Judgement]:
    """Words in the place of others; `by_contrast`: only those that are known to exclude each other."""
    answer = proof.answer
    words = content_of(answer, range(sentence.first_token, sentence.last_token))
    for i in words:
        if not answer.content[i] or support.get(i, 1.0) >= BACKED or answer.folds[i] in titles():
            continue
        found = _word_in_place(proof, sentence, words, i)
        if found is None:
            continue
        index, token = found
        view, theirs = proof.located(index)
        if _is_denied(view, theirs, token) and not _is_denied(answer, sentence, i):
            continue  # "will not dissolve" puts nothing in the place of "will float"
        there = view.tokens[token]
        if by_contrast and view.stems[token] not in contrasts(answer.language).get(answer.stems[i], ()):
            continue
        receipt = receipt_on(view, there.start, there.end, f"the source has {there.text!r} in this place")
        here = answer.tokens[i]
        yield Judgement(
            here.start, here.end, here.text, "word", SWAPPED, "contradicted", receipt, (there.text,),
            channel="invention",
        )  # fmt: skip


def _is_denied(view: TextView, sentence: Sentence, token: int) -> bool:
    return denial_of(view, signs_of(view), range(sentence.first_token, sentence.last_token), token).strict is not None


def _word_in_place(proof: Proof, sentence: Sentence, words: Sequence[int], i: int) -> tuple[int, int] | None:
    """Evidence index and token of the source word that stands between the same neighbours, and excludes this one."""
    answer = proof.answer
    left, right = _beside(answer.stems, i, -1, sentence.first_token), _beside(answer.stems, i, 1, sentence.last_token)
    others = len(words) - 1
    for index in near_sentences(proof, sentence):
        held, shared = _shared_words(proof, sentence, words, index)
        if not others or shared - (answer.stems[i] in held) < SAME_OTHERWISE * others:
            continue
        view, _ = proof.located(index)
        if right in COMPARING and _first_word(view, index, proof) != answer.stems[words[0]]:
            continue  # "the red one is smaller than the blue" and "the blue one is larger than the red" agree
        for token in _framed_words(proof, index).get((left, right), ()):
            if _exclude(proof, i, view.stems[token]):
                return index, token
        if answer.stems[i] in _side_words(answer.language):
            other = _other_side(proof, index, i, left, right)
            if other is not None:
                return index, other
    return None


#: Words for the sides of a thing, which exclude each other whatever the rest of the sentence says.
SIDES = word_set(
    "north south east west northern southern eastern western left right upper lower front rear "
    "nördlich südlich östlich westlich nördliche südliche östliche westliche linke rechte linken rechten obere untere "
    "nord sud est ouest gauche droite norte sur este oeste izquierda derecha izquierdo derecho ovest sinistra destra "
    "sul leste esquerda direita esquerdo direito северный южный восточный западный левый правый "
    "северная южная левая правая"
)
#: Languages that put such a word behind its thing ("la puerta norte").
BEHIND = frozenset(["fr", "es", "it", "pt"])


@cache
def _side_words(language: str) -> frozenset[str]:
    return frozenset(stem_of(word, language) for word in SIDES)


def _other_side(proof: Proof, index: int, i: int, left: str, right: str) -> int | None:
    """The source's word for another side of the same thing: "puerta norte" for "puerta sur"."""
    answer = proof.answer
    behind = answer.language in BEHIND
    if (left if behind else right) in _small_stems(answer.language):
        return None
    barred = contrasts(answer.language).get(answer.stems[i], frozenset())
    for (before, after), tokens in _framed_words(proof, index).items():
        if (before == left) if behind else (after == right):
            found = next((token for token in tokens if proof.located(index)[0].stems[token] in barred), None)
            if found is not None:
                return found
    return None


@cache
def _small_stems(language: str) -> frozenset[str]:
    return frozenset([stem_of(word, language) for word in function_words(language)] + [""])


def _first_word(view: TextView, index: int, proof: Proof) -> str:
    """Stem of the first word of content of a source sentence."""
    where = proof.evidence[index]
    sentence = view.sentences[where.sentence]
    words = content_of(view, range(sentence.first_token, sentence.last_token))
    return view.stems[words[0]] if words else ""


def _shared_words(proof: Proof, sentence: Sentence, words: Sequence[int], index: int) -> tuple[Container[str], int]:
    """The stems of a source sentence, and how many words of the answer's sentence are among them; worked out once."""
    answer = proof.answer
    key = ("shared words", sentence.start, index)
    known: tuple[Container[str], int] | None = answer.memo.get(key)
    if known is None:
        view, near = proof.located(index)
        held = view.places_in(near)
        known = answer.memo[key] = held, sum(answer.stems[w] in held for w in words)
    return known


def _framed_words(proof: Proof, index: int) -> dict[tuple[str, str], list[int]]:
    """The words of a source sentence that the answer has not, by the two words they stand between; worked out once."""
    key = ("framed words", index)
    known: dict[tuple[str, str], list[int]] | None = proof.answer.memo.get(key)
    if known is None:
        known = proof.answer.memo[key] = {}
        view, near = proof.located(index)
        for token in range(near.first_token, near.last_token):
            if view.content[token] and view.stems[token] not in proof.answer.stem_set:
                before = _beside(view.stems, token, -1, near.first_token)
                after = _beside(view.stems, token, 1, near.last_token)
                known.setdefault((before, after), []).append(token)
    return known


def _beside(stems: Sequence[str], i: int, step: int, stop: int) -> str:
    """The nearest word before or after a token inside its sentence, signs passed over; "" at the edge."""
    k = i + step
    while (k >= stop) if step < 0 else (k < stop):
        if stems[k]:
            return stems[k]
        k += step
    return ""


def _exclude(proof: Proof, i: int, other: str) -> bool:
    """Whether the answer's word and the source's word cannot both be meant."""
    answer = proof.answer
    stem = answer.stems[i]
    if other in synonyms(answer.language).get(stem, ()) or are_cognates(stem, other):
        return False
    if other in contrasts(answer.language).get(stem, ()):
        return True
    common = common_words(answer.language)
    return bool(common) and stem not in common and other not in common
