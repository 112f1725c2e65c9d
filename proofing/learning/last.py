"""The last stage of the support model: sentences, words and the answer from everything known of them.

The levels below count words and hear the channels. Here the reader (`proofing.learning.reader`) comes in, where the
tier has one, and marks reach the single word. A model holds one stage for each number of sentences the reader may
read (0 = there is no reader), each fitted on a fold nothing else was fitted on, with its own calibration and cut.

Two forests, sentences and then words (which know their sentence), and a straight sum for the answer (which knows both):
with so few answers of each kind a forest of answers learns the kinds, not the faults. More marks, and more doubt of
the reader, can only make any of them more suspicious.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofing.learning.evidence import windows_of
from proofing.learning.features import TOKEN_NAMES, Sheet
from proofing.learning.judged import JUDGED_ANSWER_NAMES, JUDGED_SENTENCE_NAMES, MARK_NAMES, mark_name
from proofing.learning.knots import calibrated
from proofing.learning.reader import ReadSentence
from proofing.learning.trees import Forest, Straight, log_odds, logistic
from proofing.marks import RULE_PROBABILITY
from proofing.support.base import Judgement

#: Log odds that stand for a sentence or word the reader did not read.
UNREAD = -7.0
READ_SENTENCE_NAMES = ("read_score", "read_piece_top", "read_piece_third", "read_piece_mean")
READ_WORD_NAMES = ("read_word", "read_before", "read_after", "read_score", "read_piece_top")
READ_ANSWER_NAMES = ("read_top", "read_mean", "read_words_top")
#: What is known of every sentence, word and answer besides: what the levels below made of it.
SENTENCE_NAMES = (*JUDGED_SENTENCE_NAMES, "judged_score", "judged_answer")
WORD_NAMES = (
    *TOKEN_NAMES, "word_score", "word_before", "word_after", "word_share", "sentence_last", "sentence_score",
    "judged_score", "judged_answer", "marked", "marked_letters",
)  # fmt: skip
ANSWER_NAMES = ("judged_answer", "last_any", "last_words_top", "marks_surest")
#: Where the line of the words is laid: the drawing line of `Settings.mark_cut` as it is given out.
DRAWN_AT = 0.6
#: Words of an answer from which the forest of words is heard: nine in ten of RAGTruth's answers have more.
HEARD_FROM = 60
LEVELS = ("sentences", "words", "answers")
_SUREST = JUDGED_ANSWER_NAMES.index("marks_surest")


@dataclass(frozen=True, slots=True)
class Known:
    """What the levels below say of one answer.

    Attributes:
        words, sentences: probabilities from the counts alone, of the sheet's words and sentences.
        judged: probabilities of the sentences after the channels were heard.
        score: log odds of the answer after the channels were heard.
        sentence_rows, answer_row: what the level of the channels read (`proofing.learning.judged`).
        marked: per word of the sheet the surest rule mark on it (0-1) and the letters that mark holds.
    """

    words: Sequence[float]
    sentences: Sequence[float]
    judged: Sequence[float]
    score: float
    sentence_rows: Sequence[Sequence[float]]
    answer_row: Sequence[float]
    marked: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Heard:
    """What the reader said, by sentence and word of a sheet; `UNREAD` where it did not look.

    Attributes:
        sentences: rows of `READ_SENTENCE_NAMES`.
        words: log odds of each word: its most doubtful piece.
    """

    sentences: Sequence[Sequence[float]]
    words: Sequence[float]


@dataclass(frozen=True)
class Stage:
    """One fitted last stage.

    Attributes:
        sentences, words: the forests.
        answers: the sum over columns of the answer (`columns`).
        calibration: knots from the answer's log odds to its probability.
        cut: the answer probability with the best expected F1 on the fold it was fitted on, out of fold.
        line: the word probability from which the words of an answer above the cut are drawn; None = they never are.
        worth: per kind of mark (`MARK_NAMES`) the share of faulty answers among those that hold one: no answer
            with such a mark gets less.
    """

    sentences: Forest
    words: Forest
    answers: Straight
    calibration: Sequence[Sequence[float]]
    cut: float
    worth: Mapping[str, float] = field(default_factory=dict)
    line: float | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Stage:
        """From its JSON form.

        Raises:
            ValueError, KeyError, TypeError: it is none.
        """
        return cls(
            Forest.of(data["sentences"]),
            Forest.of(data["words"]),
            Straight.of(data["answers"]),
            calibration=[[float(x), float(y)] for x, y in data["calibration"]],
            cut=float(data["cut"]),
            worth={str(name): float(worth) for name, worth in data.get("worth", {}).items()},
            line=None if data.get("line") is None else float(data["line"]),
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON form again."""
        forests = {level: getattr(self, level).to_dict() for level in LEVELS}
        calibration = [list(knot) for knot in self.calibration]
        return {**forests, "calibration": calibration, "cut": self.cut, "worth": dict(self.worth), "line": self.line}

    def probabilities(
        self, sheet: Sheet, known: Known, heard: Heard | None, marks: Mapping[str, float]
    ) -> tuple[float, list[float], list[float]]:
        """The answer's calibrated probability, one per row of the sheet, and one per sentence."""
        sentences = [self.sentences.probability(row) for row in sentence_rows(known, heard)]
        words = [self.words.probability(row) for row in word_rows(sheet, known, heard, sentences)]
        return self.answer(answer_row(known, heard, sentences, words), marks), words, sentences

    def drawn(self, known: Sequence[float], own: Sequence[float], answer: float) -> Sequence[float]:
        """Probabilities of the words as they are drawn: `own` raises what is `known` where the answer is faulty.

        A word is much rarer unsupported than an answer, so the line that finds most is low: the odds of `own` are
        shifted until it lies at `DRAWN_AT`. Below the answer's cut they are not heard, nor in answers of fewer than
        `HEARD_FROM` words: the forest met few such texts and is too bold on them.
        """
        if self.line is None or answer < self.cut or len(own) < HEARD_FROM:
            return known
        shift = log_odds(DRAWN_AT) - log_odds(self.line)
        return [max(below, logistic(log_odds(word) + shift)) for below, word in zip(known, own, strict=True)]

    def answer(self, row: Sequence[float], marks: Mapping[str, float]) -> float:
        """The answer's calibrated probability, from its row (`answer_row`) and its marks by kind."""
        floor = max((worth for name, worth in self.worth.items() if marks.get(name)), default=0.0)
        return max(calibrated(self.answers.score(row), self.calibration), floor)


def columns(*, reader: bool) -> dict[str, list[str]]:
    """The columns of the two forests and of the sum, in order."""
    own = {"sentences": SENTENCE_NAMES, "words": WORD_NAMES, "answers": ANSWER_NAMES}
    more = {"sentences": READ_SENTENCE_NAMES, "words": READ_WORD_NAMES, "answers": READ_ANSWER_NAMES}
    return {level: [*own[level], *(more[level] if reader else ())] for level in LEVELS}


def marked_words(starts: Sequence[tuple[int, int]], judgements: Sequence[Judgement]) -> list[tuple[float, float]]:
    """Per word the surest rule mark that touches it (0-1) and how many letters that mark holds."""
    marks = sorted((j for j in judgements if j.reason is not None), key=lambda j: (j.start, j.end))
    found = [(0.0, 0.0)] * len(starts)
    firsts = [start for start, _ in starts]
    for mark in marks:
        sure = RULE_PROBABILITY.get(mark.reason or "", 0.5)
        place = max(bisect_right(firsts, mark.start) - 1, 0)
        while place < len(starts) and starts[place][0] < mark.end:
            if starts[place][1] > mark.start and sure > found[place][0]:
                found[place] = (sure, float(mark.end - mark.start))
            place += 1
    return found


def mark_counts(judgements: Sequence[Judgement]) -> dict[str, float]:
    """How many marks of each kind (`MARK_NAMES`) the channels want."""
    counts = dict.fromkeys(MARK_NAMES, 0.0)
    for judgement in judgements:
        if judgement.reason is not None:
            counts[mark_name(judgement)] += 1.0
    return counts


def to_read(spans: Sequence[tuple[int, int]], judged: Sequence[float], most: int) -> list[int]:
    """Which sentences the reader reads, in text order: the `most` most suspicious ones and those of their windows.

    Args:
        spans: of all sentences; `judged` = what is known of each.
    """
    ranked = sorted(range(len(judged)), key=lambda i: (-judged[i], i))
    chosen = frozenset(ranked[:most])
    return [i for window in windows_of(spans) if not chosen.isdisjoint(window) for i in window]


def heard_of(sheet: Sheet, starts: Sequence[tuple[int, int]], read: Sequence[ReadSentence]) -> Heard:
    """What the reader said, laid on the sentences and words of a sheet; `starts` = offsets of its words."""
    by_start = {found.start: found for found in read}
    sentences: list[list[float]] = []
    for start, _ in sheet.spans:
        found = by_start.get(start)
        odds = sorted((o for *_, o in found.pieces), reverse=True) if found else []
        if found is None or not odds:
            sentences.append([UNREAD] * len(READ_SENTENCE_NAMES))
        else:
            sentences.append([found.score, odds[0], odds[min(2, len(odds) - 1)], sum(odds) / len(odds)])
    words = [UNREAD] * len(starts)
    firsts = [start for start, _ in starts]
    for found in read:
        for first, last, odds_of in found.pieces:
            place = bisect_right(firsts, first) - 1
            if place >= 0 and starts[place][1] > first and last > first:
                words[place] = max(words[place], odds_of)
    return Heard(sentences, words)


def sentence_rows(known: Known, heard: Heard | None) -> list[list[float]]:
    """Rows of the sentences."""
    return [
        [*row, log_odds(judged), known.score, *(heard.sentences[i] if heard else ())]
        for i, (row, judged) in enumerate(zip(known.sentence_rows, known.judged, strict=True))
    ]


def word_rows(sheet: Sheet, known: Known, heard: Heard | None, sentences: Sequence[float]) -> list[list[float]]:
    """Rows of the words; `sentences` = what the forest of sentences made of each."""
    own = [log_odds(word) for word in known.words]
    before, after = _neighbours(own, sheet.row_sentences)
    totals: dict[int, float] = {}
    for place, word in zip(sheet.row_sentences, known.words, strict=True):
        totals[place] = totals.get(place, 0.0) + word
    of_sentence = [
        (log_odds(last), log_odds(counted), log_odds(judged), known.score)
        for last, counted, judged in zip(sentences, known.sentences, known.judged, strict=True)
    ]
    rows = []
    for i, (row, place) in enumerate(zip(sheet.rows, sheet.row_sentences, strict=True)):
        share = known.words[i] / max(totals[place], 1e-6)
        rows.append([*row, own[i], before[i], after[i], share, *of_sentence[place], *known.marked[i]])
    if heard:
        left, right = _neighbours(heard.words, sheet.row_sentences)
        for i, place in enumerate(sheet.row_sentences):
            rows[i] += [heard.words[i], left[i], right[i], *heard.sentences[place][:2]]
    return rows


def answer_row(known: Known, heard: Heard | None, sentences: Sequence[float], words: Sequence[float]) -> list[float]:
    """The row of the answer; `sentences` and `words` = what the two forests before made of them."""
    row = [known.score, _odds(_any(sentences)), _odds(max(words, default=0.0)), known.answer_row[_SUREST]]
    if heard:
        scores = [one[0] for one in heard.sentences if one[0] > UNREAD] or [UNREAD]
        row += [max(scores), sum(scores) / len(scores), max(heard.words, default=UNREAD)]
    return row


def _neighbours(odds: Sequence[float], places: Sequence[int]) -> tuple[list[float], list[float]]:
    """Of each word the odds of the word before and after it in its sentence; its own at the edges."""
    before, after = list(odds), list(odds)
    for i in range(1, len(odds)):
        if places[i] == places[i - 1]:
            before[i], after[i - 1] = odds[i - 1], odds[i]
    return before, after


def _odds(probability: float) -> float:
    return log_odds(probability, 1e-4)


def _any(probabilities: Sequence[float]) -> float:
    clean = 1.0
    for probability in probabilities:
        clean *= 1.0 - probability
    return 1.0 - clean
