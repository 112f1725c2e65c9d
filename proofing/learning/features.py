"""What the support model counts: per token, per sentence and per answer, how the sources back the words.

Everything is counting over one `Proof` and the channels' judgements: which words stand in the nearest pieces of
the sources, which pairs of words stand together there, which fields of a record a sentence names and what they
say, and what the channels objected to. `sheet_of` works all of it out once; the names of the columns are
`TOKEN_NAMES`, `SENTENCE_NAMES` and `ANSWER_NAMES`, and a fitted model stores them, so a model never reads columns
it was not fitted on.

Sums over sets run in a fixed order, so the same input gives the same floats whatever the hash seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter

from proofing.learning.pieces import EMPTY, NO, YES, Pieces
from proofing.support.base import Judgement
from proofing.support.reading import Proof
from proofing.support.stems import stem_of

NEGATIONS = frozenset(
    "not no never without lack lacks lacking nor neither cannot none unable unavailable nobody nothing hardly "
    "doesn don isn aren wasn weren didn won couldn wouldn shouldn hasn haven hadn".split()
)
HEDGES = frozenset(
    "may might could possibly perhaps likely probably generally usually often typically sometimes seems appears "
    "suggests approximately about around roughly overall".split()
)
REFUSALS = frozenset("unable cannot mention mentioned mentions information provided provide sorry unclear".split())
REFERENCES = frozenset("passage passages context text article document source sources according based".split())
VALUE_KINDS = frozenset(
    "number money percent points quantity date time duration range ordinal version phone identifier citation url "
    "code".split()
)

TOKEN_NAMES = (
    "content", "digit", "capital", "in_question", "anywhere", "in_best", "in_best_three", "rarity", "pieces_holding",
    "bigram_before", "bigram_after", "beside_before", "beside_after", "run", "near_three", "near_six", "position",
    "length", "prefix_known", "word_support", "value_objected", "name_objected", "other_objected", "value_backed",
    "key_yes", "key_no", "key_empty", "key_other", "negated_before", "sentence_covered", "sentence_covered_three",
    "sentence_new", "sentence_length", "sentence_place", "sentence_negated", "record", "repeated",
)  # fmt: skip
SENTENCE_NAMES = (
    "words", "content_words", "place", "first", "last", "count", "covered", "covered_two", "covered_three",
    "covered_source", "covered_any", "new_words", "new_share", "new_unasked", "rarest_new", "bigrams",
    "trigrams", "bigrams_best", "longest_run_best", "longest_run_any", "longest_copy", "copied_share", "digits",
    "digits_new", "digits_not_best", "capitals", "capitals_new", "capitals_not_best", "pairs_beside",
    "pairs_near", "pairs_wide", "pieces_used", "spread", "order_kept", "negated", "negated_best",
    "negation_differs", "hedges", "hedges_new", "asked", "refuses", "refers", "yes_plain", "yes_negated",
    "no_plain", "no_negated", "empty_plain", "empty_negated", "best_is_field", "best_place", "list_item",
    "colon_end", "quotes", "brackets", "values", "values_objected", "values_contradicted", "values_absent",
    "names_objected", "polarity_objected", "other_objected", "words_objected", "support_least", "support_mean",
    "support_low", "support_third",
)  # fmt: skip
ANSWER_NAMES = (
    "answer_words", "answer_sentences", "source_words", "source_count", "piece_count", "record", "question_words",
    "question_asks", "answer_covered", "answer_new", "answer_copied", "source_used", "lists", "refuses",
    "values_objected", "names_objected", "others_objected", "values", "compression",
)  # fmt: skip
#: What a word is told of its sentence's row; the last is only whether there is any.
_OF_ITS_SENTENCE = itemgetter(
    *map(SENTENCE_NAMES.index, ("covered", "covered_three", "new_share", "words", "negated")),
)
#: Words left and right that "near" looks at.
NEAR = (3, 6)
#: So many pairs of neighbours in a row that stand in the sources are copied from there.
COPIED = 3
#: Tokens back from a word in which a negation is taken to reach it.
REACH = 7


@dataclass(slots=True)
class Sheet:
    """All counts of one answer.

    Attributes:
        rows: one row of `TOKEN_NAMES` per content word, digit token and negation of the answer.
        row_tokens: index of each row's token in ``proof.answer.tokens``.
        words: stem of each row, with a mark in front that says how well it is backed (see `word_key`).
        phrases: per sentence its words and pairs of neighbours, each once, as a model's phrase tables name them.
        row_sentences: which of `sentences` each row belongs to.
        sentences: one row of `SENTENCE_NAMES` per sentence of the answer that holds a word.
        spans: offsets of those sentences.
        answer: one row of `ANSWER_NAMES`.
    """

    rows: list[list[float]] = field(default_factory=list)
    row_tokens: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    phrases: list[list[str]] = field(default_factory=list)
    row_sentences: list[int] = field(default_factory=list)
    sentences: list[list[float]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)


def answer_features(proof: Proof, judgements: Sequence[Judgement]) -> dict[str, float]:
    """The answer's own counts by name (`ANSWER_NAMES`); dimensionless, words or shares 0-1."""
    return dict(zip(ANSWER_NAMES, sheet_of(proof, judgements).answer, strict=True))


def token_features(proof: Proof, judgements: Sequence[Judgement]) -> list[list[float]]:
    """One row of `TOKEN_NAMES` per content word, digit token and negation of the answer, in text order."""
    return sheet_of(proof, judgements).rows


def sheet_of(proof: Proof, judgements: Sequence[Judgement]) -> Sheet:
    """Count everything once; linear in answer and sources."""
    return _Counter(proof, judgements).sheet()


def word_key(stem: str, backed: int) -> str:
    """The entry of a word in a model's table: 0 = in no source, 1 = in some, 2 = in the nearest three pieces."""
    return f"{backed}{stem}"


@dataclass(slots=True)
class _Sentence:
    """One answer sentence while it is counted; token lists hold only words and digits."""

    tokens: list[int]
    content: list[int]
    best: list[int]
    best_words: frozenset[str]
    three_words: frozenset[str]
    negated: list[bool]
    keys: dict[int, str]
    key_counts: dict[tuple[str, bool], int]
    first_token: int
    last_token: int


class _Counter:
    """The counting itself, one method per level."""

    def __init__(self, proof: Proof, judgements: Sequence[Judgement]) -> None:
        self.proof = proof
        self.view = proof.answer
        self.pieces = Pieces(proof)
        self.asked = frozenset(proof.question.stems)
        self.record = float(any(piece.keys for piece in self.pieces.all[:1]))
        count = len(self.view.tokens)
        self.content = self.view.stating
        self.support = [1.0] * count
        self.objections: list[str] = [""] * count
        self.backed_value = [False] * count
        self.said: list[Judgement] = []
        self.said_at: dict[int, list[Judgement]] = {}
        self.prefixes = frozenset([stem[:5] for stem in self.pieces.anywhere if len(stem) >= 5])
        self._read(judgements)

    def _read(self, judgements: Sequence[Judgement]) -> None:
        """Spread the judgements over the tokens they cover."""
        for judgement in judgements:
            covered = self.view.tokens_between(judgement.start, judgement.end)
            if not covered:
                continue
            self.said.append(judgement)
            self.said_at.setdefault(covered.start, []).append(judgement)
            for index in covered:
                if judgement.reason is not None:
                    self.objections[index] = _objection(judgement)
                elif judgement.kind in VALUE_KINDS and judgement.support >= 0.999:
                    self.backed_value[index] = True
                self.support[index] = min(self.support[index], judgement.support)

    def sheet(self) -> Sheet:
        sheet = Sheet()
        view = self.view
        stems = view.stems
        kept = [s for s in view.sentences if any(stems[s.first_token : s.last_token])]
        seen: set[str] = set()
        for place, sentence in enumerate(kept):
            counted = self._counted(sentence.first_token, sentence.last_token)
            row = self._sentence_row(counted, place, len(kept), sentence.text)
            self._token_rows(sheet, counted, row, place, len(kept), seen)
            sheet.phrases.append(self._phrases(counted))
            sheet.sentences.append(row)
            sheet.spans.append((sentence.start, sentence.end))
        sheet.answer = self._answer_row(sheet)
        return sheet

    # Sentences -------------------------------------------------------------------------------------------

    def _counted(self, first: int, last: int) -> _Sentence:
        stems, is_content = self.view.stems, self.content
        tokens = [i for i in range(first, last) if stems[i]]
        content = [i for i in tokens if is_content[i]]
        best = self.pieces.best(dict.fromkeys([stems[i] for i in content]))
        three: frozenset[str] = frozenset()
        for index in best:
            three = three.union(self.pieces.all[index].words, self.pieces.all[index].stems)
        top = self.pieces.all[best[0]] if best else None
        own = top.words.union(top.stems) if top else frozenset()
        negated = self._negation_reach(first, last)
        keys, counts = self._keys(tokens, negated, first)
        return _Sentence(tokens, content, best, own, three, negated, keys, counts, first, last)

    def _negation_reach(self, first: int, last: int) -> list[bool]:
        """For each token of the sentence, whether a negation stands up to `REACH` tokens before it."""
        folds, reach, left = self.view.folds, [], 0
        for index in range(first, last):
            reach.append(left > 0)
            left -= 1
            fold = folds[index]
            if fold in NEGATIONS or (fold == "t" and index > first and folds[index - 1] == "'"):
                left = REACH
            elif fold in (";", ".", "but", "however", "although"):
                left = 0
        return reach

    def _keys(
        self, tokens: Sequence[int], negated: Sequence[bool], first: int
    ) -> tuple[dict[int, str], dict[tuple[str, bool], int]]:
        """Yes-and-no fields of a record that the sentence names: the state at each naming token, and the counts."""
        if not self.pieces.keyed:
            return {}, {}
        places: dict[str, int] = {}
        for index in tokens:
            places.setdefault(self.view.stems[index], index)
        found: dict[int, str] = {}
        counts: dict[tuple[str, bool], int] = {}
        for _, piece in self.pieces.keyed:
            spots = [places[key] for key in piece.keys if key in places]
            if len(spots) < len(piece.keys):
                spots = [places[stem] for stem in (stem_of(piece.joined),) if stem in places]
            if not spots:
                continue
            if max(spots) - min(spots) > 6:
                continue
            denied = negated[min(spots) - first]
            counts[piece.state, denied] = counts.get((piece.state, denied), 0) + 1
            for spot in spots:
                found[spot] = YES if piece.state == YES else found.get(spot, piece.state)
        return found, counts

    def _sentence_row(self, s: _Sentence, place: int, count: int, text: str) -> list[float]:
        pieces, stems_of, folds_of, texts = self.pieces, self.view.stems, self.view.folds, self.view.tokens
        anywhere, three, rarities, asked = pieces.anywhere, s.three_words, pieces.rarities, self.asked
        stems = [stems_of[i] for i in s.tokens]
        folds = [folds_of[i] for i in s.tokens]
        content = [stems_of[i] for i in s.content]
        words = list(dict.fromkeys(content))
        weights = [rarities[word] for word in words]
        total = sum(weights) or 1.0
        covered = [weight / total for weight in self._covered(words, weights, s.best)]
        of_source = self._covered_by_source(words, weights, s.best) / total
        new = [w for w in words if w not in anywhere]
        new_weight = sum([rarities[w] for w in new])
        unasked = [w for w in new if w not in asked]
        pairs = list(pairwise(stems))
        triples = list(zip(stems, stems[1:], stems[2:], strict=False))
        best_pairs = self._pairs_of(s.best)
        digits = [stems_of[i] for i in s.content if texts[i].kind == "digits"]
        capitals = [stems_of[i] for i in s.content if i != s.tokens[0] and texts[i].text[:1].isupper()]
        beside, near, wide = self._together(content)
        negated = sum([fold in NEGATIONS for fold in folds]) + text.count("n't") + text.count("n\u2019t")
        top = pieces.all[s.best[0]] if s.best else None
        negated_best = sum([stem in NEGATIONS for stem in top.stems]) if top else 0
        hedges = [stem for stem, fold in zip(stems, folds, strict=True) if fold in HEDGES]
        copied = [pair in pieces.bigrams for pair in pairs]
        copies = _run_lengths(copied)
        keys = s.key_counts
        length = len(s.tokens)
        return list(map(float, [
            length, len(s.content), place / max(count - 1, 1), float(place == 0), float(place == count - 1), count,
            *covered, of_source, self._covered_any(words, weights) / total,
            len(new), new_weight / total, len(unasked), max([rarities[w] for w in unasked], default=0.0),
            _share(sum(copied), len(pairs)), _share(sum([t in pieces.trigrams for t in triples]), len(triples)),
            _share(sum([pair in best_pairs for pair in pairs]), len(pairs)),
            max(_run_lengths([stem not in three for stem in content]), default=0),
            max(_run_lengths([stem not in anywhere for stem in content]), default=0),
            max(copies, default=0), _share(sum([length >= COPIED for length in copies]), len(pairs)),
            len(digits), sum([stem not in anywhere for stem in digits]),
            sum([stem not in three for stem in digits]),
            len(capitals), sum([stem not in anywhere for stem in capitals]),
            sum([stem not in three for stem in capitals]),
            beside, near, wide, len(s.best), self._spread(s.best), self._order_kept(words, s.best),
            negated, negated_best, abs(min(negated, 2) - min(negated_best, 2)),
            len(hedges), sum([stem not in three for stem in hedges]),
            _share(sum([w in asked for w in words]), len(words)),
            sum([fold in REFUSALS for fold in folds]), sum([fold in REFERENCES for fold in folds]),
            *(keys.get((state, denied), 0) for state in (YES, NO, EMPTY) for denied in (False, True)),
            float(bool(top and top.keys)), _share(s.best[0], len(pieces.all)) if s.best else -1.0,
            float(text[:1] in "-*\u2022" or text[:1].isdigit()), float(text.rstrip().endswith(":")),
            text.count('"') + text.count("\u201c"), text.count("("),
            *self._objection_counts(s), *self._supports(s),
        ]))  # fmt: skip

    def _covered(self, words: Sequence[str], weights: Sequence[float], best: Sequence[int]) -> list[float]:
        """Weight of the words that stand in the best piece, the best two and the best three."""
        held: frozenset[str] = frozenset()
        found: list[float] = []
        for n in range(3):
            held = held.union(*[self.pieces.all[i].words for i in best[n : n + 1]])
            found.append(sum([w for word, w in zip(words, weights, strict=True) if word in held]))
        return found

    def _covered_any(self, words: Sequence[str], weights: Sequence[float]) -> float:
        anywhere = self.pieces.anywhere
        return sum([w for word, w in zip(words, weights, strict=True) if word in anywhere])

    def _covered_by_source(self, words: Sequence[str], weights: Sequence[float], best: Sequence[int]) -> float:
        """Weight of the words that stand anywhere in the source of the best piece."""
        if not best:
            return 0.0
        stems = self.proof.sources[self.pieces.of_source[best[0]]].stem_set
        return sum([w for word, w in zip(words, weights, strict=True) if word in stems])

    def _pairs_of(self, best: Sequence[int]) -> set[tuple[str, str]]:
        pairs: set[tuple[str, str]] = set()
        for index in best:
            stems = self.pieces.all[index].stems
            pairs.update(pairwise(stems))
        return pairs

    def _together(self, content: Sequence[str]) -> tuple[float, float, float]:
        """Shares of word pairs of the answer that stand in one piece: neighbours, two apart, up to five apart.

        Words that are all in the sources but never together there were joined by the answer.
        """
        masks = list(map(self.pieces.holding, content))
        shares = []
        for apart in ((1,), (2,), (3, 4, 5)):
            together = asked = 0
            for step in apart:
                for left, right in zip(masks, masks[step:], strict=False):
                    if left and right:
                        asked += 1
                        together += (left & right) != 0
            shares.append(_share(together, asked) if asked else 1.0)
        return shares[0], shares[1], shares[2]

    def _spread(self, best: Sequence[int]) -> float:
        """How far apart the used pieces stand, as a share of all pieces; 1 when they are of different sources."""
        if len(best) < 2:
            return 0.0
        if self.pieces.of_source[best[0]] != self.pieces.of_source[best[1]]:
            return 1.0
        return abs(best[0] - best[1]) / len(self.pieces.all)

    def _order_kept(self, words: Sequence[str], best: Sequence[int]) -> float:
        """Share of neighbouring shared words that stand in the same order in the best piece."""
        if not best:
            return 0.0
        place = {stem: i for i, stem in reversed(list(enumerate(self.pieces.all[best[0]].stems)))}
        spots = [place[word] for word in words if word in place]
        kept = sum(left <= right for left, right in pairwise(spots))
        return _share(kept, len(spots) - 1) if len(spots) > 1 else 1.0

    def _objection_counts(self, s: _Sentence) -> list[float]:
        counts = dict.fromkeys(
            ("values", "value", "value_contradicted", "value_absent", "name", "polarity", "other", "word"), 0
        )
        for first in range(s.first_token, s.last_token):
            for judgement in self.said_at.get(first, ()):
                if judgement.kind in VALUE_KINDS:
                    counts["values"] += 1
                if judgement.reason is not None:
                    kind = _objection(judgement)
                    counts[kind] += 1
                    if kind == "value":
                        counts["value_absent" if judgement.reason == "absent" else "value_contradicted"] += 1
        return [float(count) for count in counts.values()]

    def _supports(self, s: _Sentence) -> list[float]:
        supports = sorted(self.support[i] for i in s.content) or [1.0]
        low = sum(value < 0.3 for value in supports)
        return [supports[0], sum(supports) / len(supports), low / len(supports), supports[min(2, len(supports) - 1)]]

    # Tokens ----------------------------------------------------------------------------------------------

    def _token_rows(
        self, sheet: Sheet, s: _Sentence, row: Sequence[float], place: int, count: int, seen: set[str]
    ) -> None:
        pieces, stems_of, folds_of, tokens = self.pieces, self.view.stems, self.view.folds, self.view.tokens
        anywhere, bigrams, best_words, asked = pieces.anywhere, pieces.bigrams, s.best_words, self.asked
        stems = [stems_of[i] for i in s.tokens]
        masks = list(map(pieces.holding, stems))
        backed = [stem in s.three_words for stem in stems]
        lacking = [self.content[i] and not held for i, held in zip(s.tokens, backed, strict=True)]
        runs = _run_lengths(lacking)
        pairs = [0.0, *[float(pair in bigrams) for pair in pairwise(stems)], 0.0]
        meets = [1.0, *[float(left & right != 0) for left, right in pairwise(masks)], 1.0]
        *own, negated = _OF_ITS_SENTENCE(row)
        shared = [*own, place / max(count - 1, 1), float(negated > 0), self.record]
        last = len(stems) - 1
        keyed = bool(s.key_counts)
        for n, index in enumerate(s.tokens):
            is_content = self.content[index]
            if not is_content and folds_of[index] not in NEGATIONS:
                continue
            token, stem = tokens[index], stems[n]
            key = s.keys.get(index, "")
            objection = self.objections[index]
            known = stem in anywhere
            sheet.rows.append([
                float(is_content), float(token.kind == "digits"), float(n > 0 and token.text[:1].isupper()),
                float(stem in asked), float(known), float(stem in best_words),
                float(backed[n]), pieces.rarities[stem], min(float(masks[n].bit_count()), 9.0),
                pairs[n], pairs[n + 1], meets[n], meets[n + 1],
                float(runs[n]), _lacking_near(lacking, n, NEAR[0]), _lacking_near(lacking, n, NEAR[1]),
                n / (last + 1), float(len(token.text)), float(known or self._prefix_known(stem)),
                self.support[index], float(objection == "value"), float(objection == "name"),
                float(objection not in ("", "value", "name")), float(self.backed_value[index]),
                float(key == YES), float(key == NO), float(key == EMPTY), float(keyed and not key),
                float(s.negated[index - s.first_token]), *shared, float(stem in seen),
            ])  # fmt: skip
            sheet.row_tokens.append(index)
            sheet.words.append(word_key(stem, 2 if backed[n] else int(known)))
            sheet.row_sentences.append(place)
        seen.update(stems)

    def _prefix_known(self, stem: str) -> bool:
        """Whether some source word begins with the same five letters."""
        return len(stem) >= 5 and stem[:5] in self.prefixes

    def _phrases(self, s: _Sentence) -> list[str]:
        """Every word with how well it is backed, and every pair of neighbours; digits all read as 0."""
        anywhere, three = self.pieces.anywhere, s.three_words
        tokens, stems_of = self.view.tokens, self.view.stems
        own = [stems_of[i] for i in s.tokens]
        stems = ["0" if tokens[i].kind == "digits" else stem for i, stem in zip(s.tokens, own, strict=True)]
        words = [
            word_key(stem, 2 if known in three else int(known in anywhere))
            for stem, known in zip(stems, own, strict=True)
        ]
        pairs = [f"{left} {right}" for left, right in pairwise(["<", *stems, ">"])]
        return list(dict.fromkeys([*words, *pairs]))

    # The answer ------------------------------------------------------------------------------------------

    def _answer_row(self, sheet: Sheet) -> list[float]:
        view, pieces = self.view, self.pieces
        words = list(dict.fromkeys(view.stems[i] for i in range(len(view.tokens)) if self.content[i]))
        weights = [pieces.rarities[word] for word in words]
        source_words = sum(len(piece.stems) for piece in pieces.all)
        own = set(words)
        objections = [j for j in self.said if j.reason is not None]
        kinds = [_objection(j) for j in objections]
        known = len(pieces.places)
        copied = SENTENCE_NAMES.index("copied_share")
        length = sum(1 for stem in view.stems if stem)
        return [
            length, len(sheet.sentences), source_words, len(self.proof.sources), len(pieces.all), self.record,
            sum(1 for stem in self.proof.question.stems if stem), float("?" in self.proof.question.text),
            _share(self._covered_any(words, weights), sum(weights)), sum(w not in pieces.anywhere for w in words),
            _share(sum(row[copied] * row[0] for row in sheet.sentences), length),
            _share(sum(word in own for word in pieces.places), known),
            sum(row[SENTENCE_NAMES.index("list_item")] for row in sheet.sentences),
            sum(row[SENTENCE_NAMES.index("refuses")] for row in sheet.sentences),
            kinds.count("value"), kinds.count("name"), len(kinds) - kinds.count("value") - kinds.count("name"),
            sum([j.kind in VALUE_KINDS for j in self.said]), length / (source_words + 1),
        ]  # fmt: skip


def _objection(judgement: Judgement) -> str:
    if judgement.kind in VALUE_KINDS:
        return "value"
    if judgement.kind == "name":
        return "name"
    if judgement.kind in ("negation", "modality", "comparator"):
        return "polarity"
    return "word" if judgement.kind == "word" else "other"


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _run_lengths(flags: Sequence[bool]) -> list[int]:
    """For each position the length of the run of true flags it is in; 0 outside."""
    out = [0] * len(flags)
    start = 0
    for i in range(len(flags) + 1):
        if i == len(flags) or not flags[i]:
            for k in range(start, i):
                out[k] = i - start
            start = i + 1
    return out


def _lacking_near(lacking: Sequence[bool], n: int, reach: int) -> float:
    window = lacking[max(0, n - reach) : n + reach + 1]
    return sum(window) / len(window)
