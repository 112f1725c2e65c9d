"""What the channels said of an answer, counted per sentence and for the whole: the last level of the support model.

The forests below this level count words. What a value, a name, a negation, a quotation or a field of a record was
found to be comes in here, as counts of marks by reason beside what the word counts made of the same sentence. More
marks can only make an answer more suspicious, and more that is backed only less (`MONOTONE` in
`proofing.learning.boosting`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from proofing.learning.features import ANSWER_NAMES, SENTENCE_NAMES, VALUE_KINDS, Sheet
from proofing.learning.trees import log_odds
from proofing.marks import RULE_PROBABILITY
from proofing.support.base import Judgement

#: Marks and backed stretches, each a count.
MARK_NAMES = (
    "marks_value_contradicted", "marks_value_unbound", "marks_value_absent", "marks_name_absent",
    "marks_name_contradicted", "marks_polarity", "marks_field", "marks_invented", "marks_swapped", "marks_quote",
    "marks_other",
)  # fmt: skip
BACKED_NAMES = ("backed_values", "backed_names", "backed_quotes", "backed_derived")
#: Of the words nothing else speaks for, by the lexical channel: least and mean support, how many are under `LOW`.
WORD_NAMES = ("support_worst", "support_average", "support_lows")
#: The surest rule, 0-1, and the share of the letters that marks cover.
OVERALL_NAMES = ("marks_surest", "marks_share")
SAID_NAMES = (*MARK_NAMES, *BACKED_NAMES, *WORD_NAMES, *OVERALL_NAMES)
#: Counts of the levels below that are read again here.
OF_SENTENCE = (
    "words", "place", "count", "covered", "covered_three", "new_share", "bigrams", "copied_share", "pairs_near",
    "negation_differs", "hedges_new", "refuses", "refers", "best_is_field", "asked",
)  # fmt: skip
OF_ANSWER = (
    "answer_words", "answer_sentences", "source_words", "record", "question_words", "answer_covered",
    "answer_copied", "source_used", "refuses",
)  # fmt: skip
JUDGED_SENTENCE_NAMES = (*OF_SENTENCE, "sentence_score", "word_top", "word_mean", "answer_score", *SAID_NAMES)
JUDGED_ANSWER_NAMES = (
    *OF_ANSWER, "answer_score", "counted_top", "counted_any", "judged_top", "judged_second", "judged_third",
    "judged_mean", "judged_any", "sentences_marked", *SAID_NAMES,
)  # fmt: skip
LOW = 0.3
_SENTENCE_PLACES = tuple(SENTENCE_NAMES.index(name) for name in OF_SENTENCE)
_ANSWER_PLACES = tuple(ANSWER_NAMES.index(name) for name in OF_ANSWER)
_MARKS = len(MARK_NAMES)
_WRONG_VALUE = frozenset({"contradicted", "derived_wrong", "unit"})


def said_rows(sheet: Sheet, judgements: Sequence[Judgement]) -> list[list[float]]:
    """One row of `SAID_NAMES` per sentence of the sheet; a judgement counts where it starts."""
    starts = [start for start, _ in sheet.spans]
    own: list[list[Judgement]] = [[] for _ in starts]
    for judgement in judgements:
        place = bisect_right(starts, judgement.start) - 1
        if place >= 0:
            own[place].append(judgement)
    return [_said(found, end - start) for found, (start, end) in zip(own, sheet.spans, strict=True)]


def judged_sentence_rows(
    sheet: Sheet, words: Sequence[float], sentences: Sequence[float], score: float, said: Sequence[Sequence[float]]
) -> list[list[float]]:
    """One row of `JUDGED_SENTENCE_NAMES` per sentence.

    Args:
        words: probabilities of the sheet's words, from the counts alone.
        sentences: probabilities of its sentences, likewise.
        score: raw score (log odds) of the answer, likewise.
        said: what `said_rows` found.
    """
    own: list[list[float]] = [[] for _ in sheet.sentences]
    for place, probability in zip(sheet.row_sentences, words, strict=True):
        own[place].append(probability)
    return [
        [*(row[i] for i in _SENTENCE_PLACES), log_odds(probability), max(got, default=0.0),
         sum(got) / max(len(got), 1), score, *spoken]
        for row, probability, got, spoken in zip(sheet.sentences, sentences, own, said, strict=True)
    ]  # fmt: skip


def judged_answer_row(
    sheet: Sheet, sentences: Sequence[float], judged: Sequence[float], score: float, said: Sequence[Sequence[float]]
) -> list[float]:
    """The row of `JUDGED_ANSWER_NAMES`; `judged` = probabilities of the sentences after the channels were heard."""
    ranked = [*sorted(judged, reverse=True), 0.0, 0.0, 0.0]
    return [
        *(sheet.answer[i] for i in _ANSWER_PLACES), score, max(sentences, default=0.0), _any(sentences),
        *ranked[:3], sum(judged) / max(len(judged), 1), _any(judged),
        sum(any(row[:_MARKS]) for row in said), *_whole(said, [end - start for start, end in sheet.spans]),
    ]  # fmt: skip


def _said(judgements: Sequence[Judgement], length: int) -> list[float]:
    marks = dict.fromkeys(MARK_NAMES, 0.0)
    backed = dict.fromkeys(BACKED_NAMES, 0.0)
    supports: list[float] = []
    surest = covered = 0.0
    for judgement in judgements:
        if judgement.reason is not None:
            marks[mark_name(judgement)] += 1.0
            surest = max(surest, RULE_PROBABILITY.get(judgement.reason, 0.5))
            covered += judgement.end - judgement.start
        elif judgement.kind == "word":
            supports.append(judgement.support)
        elif name := _backed_name(judgement):
            backed[name] += 1.0
    average = sum(supports) / len(supports) if supports else 1.0
    lows = float(sum(support < LOW for support in supports))
    share = min(covered / max(length, 1), 1.0)
    return [*marks.values(), *backed.values(), min(supports, default=1.0), average, lows, surest, share]


def mark_name(judgement: Judgement) -> str:
    """Which of `MARK_NAMES` a judgement with a reason counts as."""
    if judgement.channel == "fields":
        return "marks_field"
    if judgement.kind in VALUE_KINDS:
        if judgement.reason in _WRONG_VALUE:
            return "marks_value_contradicted"
        return "marks_value_unbound" if judgement.reason == "unbound" else "marks_value_absent"
    if judgement.kind == "name":
        return "marks_name_absent" if judgement.reason == "absent" else "marks_name_contradicted"
    if judgement.kind in ("negation", "modality", "comparator"):
        return "marks_polarity"
    if judgement.kind == "quote":
        return "marks_quote"
    if judgement.kind == "word":
        return "marks_invented" if judgement.reason == "absent" else "marks_swapped"
    return "marks_other"


def _backed_name(judgement: Judgement) -> str:
    if judgement.formula:
        return "backed_derived"
    if judgement.kind in VALUE_KINDS:
        return "backed_values"
    return {"name": "backed_names", "quote": "backed_quotes"}.get(judgement.kind, "")


def _whole(said: Sequence[Sequence[float]], lengths: Sequence[int]) -> list[float]:
    """`SAID_NAMES` of the whole answer: counts add up, the worst word stays the worst, the rest is weighed."""
    if not said:
        return [0.0] * (_MARKS + len(BACKED_NAMES)) + [1.0, 1.0, 0.0, 0.0, 0.0]
    counts = [sum(column) for column in zip(*(row[: _MARKS + len(BACKED_NAMES)] for row in said), strict=True)]
    worst, average, lows, surest, share = zip(*(row[_MARKS + len(BACKED_NAMES) :] for row in said), strict=True)
    total = sum(lengths) or 1
    covered = sum(part * length for part, length in zip(share, lengths, strict=True)) / total
    mean = sum(part * length for part, length in zip(average, lengths, strict=True)) / total
    return [*counts, min(worst), mean, sum(lows), max(surest), covered]


def _any(probabilities: Sequence[float]) -> float:
    clean = 1.0
    for probability in probabilities:
        clean *= 1.0 - probability
    return 1.0 - clean
