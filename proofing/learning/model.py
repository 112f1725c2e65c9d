"""The support model: how likely a word is unsupported, and how likely an answer holds any such word.

Three forests stand on one another: words (counts of the word and its surroundings), sentences (counts of the
sentence and what its words got), answers (counts of the answer and what its sentences got). Tables of words and
phrases add how often such wording was unsupported before. Two more hear what the channels said: sentences and
answers, with their marks by reason (`proofing.learning.judged`). Where a model holds a last stage
(`proofing.learning.last`), that one knows all of this and what the reader said, and speaks for words and answers.
The answer's score is calibrated on data nothing of this was fitted on. A model is one JSON file: no pickle, nothing
to execute; it loads in milliseconds and needs nothing but Python.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from proofing.errors import BadInput
from proofing.learning.features import ANSWER_NAMES, SENTENCE_NAMES, TOKEN_NAMES, Sheet, sheet_of
from proofing.learning.judged import (
    JUDGED_ANSWER_NAMES,
    JUDGED_SENTENCE_NAMES,
    judged_answer_row,
    judged_sentence_rows,
    said_rows,
)
from proofing.learning.knots import calibrated
from proofing.learning.last import Known, Stage, heard_of, mark_counts, marked_words, to_read
from proofing.learning.last import columns as last_columns
from proofing.learning.reader import ReadSentence
from proofing.learning.trees import Forest, Phrases
from proofing.support.base import Judgement
from proofing.support.reading import Proof

SCHEMA = "support_model/1"
SHIPPED = "support.json"
#: Columns added to a word's own counts: what the model's word table says of it and of its neighbours.
ODDS_NAMES = ("odds", "odds_before", "odds_after")
#: Columns added to a sentence's own counts: what its words got, and what its phrases say.
WORDS_NAMES = (
    "word_top", "word_second", "word_third", "word_mean", "word_sum", "odds_top", "odds_mean", "odds_sum", "phrases",
)  # fmt: skip
#: Columns added to an answer's own counts: what its sentences and words got, and what its phrases say.
SENTENCES_NAMES = (
    "sentence_top", "sentence_second", "sentence_third", "sentence_mean", "sentence_any", "sentence_sum",
    "sentence_last", "words_top", "words_third", "words_mean", "odds_all", "phrases_top", "phrases_mean", "phrases_all",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model says about one answer.

    Attributes:
        answer_probability: calibrated, that the answer holds at least one unsupported span; 0-1.
        token_probabilities: per token of ``proof.answer.tokens``; signs have 0.
        cut: the answer probability with the best expected F1 on other data.
        name: of the model, for people.
        sha256: of the model's file.
        reader: name of the reader that was asked; ``none`` where there was none.
        warnings: for people, what was missing.
        sentences: start, end and probability of each sentence that holds a word, in text order.
    """

    answer_probability: float
    token_probabilities: tuple[float, ...]
    cut: float
    name: str
    sha256: str
    reader: str = "none"
    warnings: tuple[str, ...] = ()
    sentences: tuple[tuple[int, int, float], ...] = ()


#: Reads some sentences of the answer, given by their offsets.
ReadSentences = Callable[[Sequence[tuple[int, int]]], Sequence[ReadSentence]]


@dataclass(frozen=True)
class SupportModel:
    """A fitted model; make one with `SupportModel.load`."""

    name: str
    sha256: str
    words: Forest
    sentences: Forest
    answers: Forest
    odds: Mapping[str, float]
    sentence_phrases: Phrases
    answer_phrases: Phrases
    calibration: Sequence[Sequence[float]]
    cut: float
    card: Mapping[str, Any] = field(default_factory=dict)
    judged_sentences: Forest | None = None
    judged_answers: Forest | None = None
    last: Mapping[int, Stage] = field(default_factory=dict)

    @staticmethod
    def load(path: str | Path | None = None) -> SupportModel:
        """The model in a file; None = the one that ships with the package.

        Raises:
            FileNotFoundError: no model ships with this build.
            BadInput: the file cannot be read, or was fitted on other columns than this version counts.
        """
        return _shipped() if path is None else _loaded(str(path))

    @classmethod
    def of_bytes(cls, raw: bytes, where: str) -> SupportModel:
        """The model from a file's content; `where` names it in errors."""
        try:
            data = json.loads(raw)
            _refuse_other_columns(data, where)
            return cls(
                name=str(data["name"]),
                sha256=hashlib.sha256(raw).hexdigest(),
                words=Forest.of(data["words"]),
                sentences=Forest.of(data["sentences"]),
                answers=Forest.of(data["answers"]),
                odds={str(word): float(odds) for word, odds in data["odds"].items()},
                sentence_phrases=Phrases.of(data["sentence_phrases"]),
                answer_phrases=Phrases.of(data["answer_phrases"]),
                calibration=[[float(x), float(y)] for x, y in data["calibration"]],
                cut=float(data["cut"]),
                card=data.get("card", {}),
                judged_sentences=Forest.of(data["judged_sentences"]) if "judged_sentences" in data else None,
                judged_answers=Forest.of(data["judged_answers"]) if "judged_answers" in data else None,
                last={int(most): Stage.of(stage) for most, stage in data.get("last", {}).items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{where} is no {SCHEMA} file; fit one with `proofmark train`") from error

    def to_dict(self) -> dict[str, Any]:
        """The JSON form again, without its hash."""
        data: dict[str, Any] = {
            "schema": SCHEMA, "name": self.name, "columns": columns(), "words": self.words.to_dict(),
            "sentences": self.sentences.to_dict(), "answers": self.answers.to_dict(), "odds": dict(self.odds),
            "sentence_phrases": self.sentence_phrases.to_dict(), "answer_phrases": self.answer_phrases.to_dict(),
            "calibration": [list(knot) for knot in self.calibration], "cut": self.cut, "card": dict(self.card),
        }  # fmt: skip
        for level, forest in (("judged_sentences", self.judged_sentences), ("judged_answers", self.judged_answers)):
            if forest is not None:
                data[level] = forest.to_dict()
        if self.last:
            data["last"] = {str(most): stage.to_dict() for most, stage in self.last.items()}
        return data

    def predict(
        self,
        proof: Proof,
        judgements: Sequence[Judgement],
        reader: ReadSentences | None = None,
        most: int = 0,
    ) -> Prediction:
        """Probabilities for one answer; linear in its length.

        Args:
            reader: reads sentences of this answer; None = there is none.
            most: how many sentences it may read, besides those of their windows, by the tier. A model fitted for
                other numbers takes the nearest below; one fitted without a reader never asks it.
        """
        sheet = sheet_of(proof, judgements)
        tokens = proof.answer.tokens
        starts = [(tokens[i].start, tokens[i].end) for i in sheet.row_tokens]
        allowed = max((m for m in self.last if m <= (most if reader else 0)), default=0)
        read: Sequence[ReadSentence] | None = None
        known = self.known(sheet, starts, judgements)
        if reader is not None and allowed and known is not None:
            read = reader([sheet.spans[i] for i in to_read(sheet.spans, known.judged, allowed)])
        answer, words, sentences = self._spoken(sheet, starts, judgements, known, read, allowed)
        of_tokens = [0.0] * len(tokens)
        for index, probability in zip(sheet.row_tokens, words, strict=True):
            of_tokens[index] = round(probability, 6)
        return Prediction(
            answer_probability=round(answer, 6),
            token_probabilities=tuple(of_tokens),
            cut=self.last[allowed].cut if allowed in self.last else self.cut,
            name=self.name,
            sha256=self.sha256,
            sentences=tuple((*span, round(own, 6)) for span, own in zip(sheet.spans, sentences, strict=True)),
        )

    def probabilities(self, sheet: Sheet, judgements: Sequence[Judgement] = ()) -> tuple[float, list[float]]:
        """The answer's calibrated probability and one probability per row of the sheet; 0 for an empty answer.

        Neither the last stage nor the reader is asked: this is what the levels below them say.
        """
        words, sentences, score = self.counted(sheet)
        if not sheet.sentences:
            return 0.0, words
        if self.judged_answers is not None and self.judged_sentences is not None:
            said = said_rows(sheet, judgements)
            rows = judged_sentence_rows(sheet, words, sentences, score, said)
            judged = [self.judged_sentences.probability(row) for row in rows]
            score = self.judged_answers.score(judged_answer_row(sheet, sentences, judged, score, said))
        return calibrated(score, self.calibration), words

    def known(self, sheet: Sheet, starts: Sequence[tuple[int, int]], judgements: Sequence[Judgement]) -> Known | None:
        """What the levels below the last stage say; None where the model lacks one of them or there is no word.

        Args:
            starts: offsets of the sheet's words in the answer.
        """
        if self.judged_answers is None or self.judged_sentences is None or not sheet.sentences:
            return None
        words, sentences, score = self.counted(sheet)
        said = said_rows(sheet, judgements)
        rows = judged_sentence_rows(sheet, words, sentences, score, said)
        judged = [self.judged_sentences.probability(row) for row in rows]
        row = judged_answer_row(sheet, sentences, judged, score, said)
        return Known(
            words, sentences, judged, self.judged_answers.score(row), rows, row, marked_words(starts, judgements)
        )

    def _spoken(
        self,
        sheet: Sheet,
        starts: Sequence[tuple[int, int]],
        judgements: Sequence[Judgement],
        known: Known | None,
        read: Sequence[ReadSentence] | None,
        allowed: int,
    ) -> tuple[float, Sequence[float], Sequence[float]]:
        """The answer's probability, its words' and its sentences'."""
        if known is None:
            words, sentences, score = self.counted(sheet)
            return (calibrated(score, self.calibration) if sheet.sentences else 0.0), words, sentences
        stage = self.last.get(allowed)
        if stage is None:
            return calibrated(known.score, self.calibration), known.words, known.judged
        heard = None if read is None else heard_of(sheet, starts, read)
        answer, words, _ = stage.probabilities(sheet, known, heard, mark_counts(judgements))
        return answer, stage.drawn(known.words, words, answer), known.judged

    def counted(self, sheet: Sheet) -> tuple[list[float], list[float], float]:
        """What the counts alone say: probabilities of words and sentences, and the answer's raw score (log odds)."""
        words = [self.words.probability(row) for row in word_rows(sheet, self.odds)]
        if not sheet.sentences:
            return words, [], 0.0
        said = [self.sentence_phrases.score(phrases) for phrases in sheet.phrases]
        rows = sentence_rows(sheet, words, self.odds, said)
        sentences = [self.sentences.probability(row) for row in rows]
        whole = self.answer_phrases.score(all_phrases(sheet))
        return words, sentences, self.answers.score(answer_row(sheet, words, sentences, self.odds, said, whole))


def columns() -> dict[str, list[str]]:
    """The columns each forest reads, in order; a model stores them and is refused when they differ."""
    return {
        "words": [*TOKEN_NAMES, *ODDS_NAMES],
        "sentences": [*SENTENCE_NAMES, *WORDS_NAMES],
        "answers": [*ANSWER_NAMES, *SENTENCES_NAMES],
        "judged_sentences": [*JUDGED_SENTENCE_NAMES],
        "judged_answers": [*JUDGED_ANSWER_NAMES],
        "last": [name for own in last_columns(reader=True).values() for name in own],
    }


def word_rows(sheet: Sheet, odds: Mapping[str, float]) -> list[list[float]]:
    """The words' counts with what the word table says of each and of its two neighbours."""
    return [[*row, *known] for row, known in zip(sheet.rows, odds_rows(sheet, odds), strict=True)]


def odds_rows(sheet: Sheet, odds: Mapping[str, float]) -> list[tuple[float, float, float]]:
    """Per word what the word table says of it, of the word before and of the word after (`ODDS_NAMES`)."""
    known = [odds.get(word, 0.0) for word in sheet.words]
    padded = [0.0, *known, 0.0]
    return list(zip(known, padded[:-2], padded[2:], strict=True))


def all_phrases(sheet: Sheet) -> dict[str, None]:
    """The phrases of all sentences, each once, in order."""
    return dict.fromkeys(phrase for phrases in sheet.phrases for phrase in phrases)


def sentence_rows(
    sheet: Sheet, words: Sequence[float], odds: Mapping[str, float], phrases: Sequence[float]
) -> list[list[float]]:
    """The sentences' counts with what their words got and what their phrases say."""
    own: list[list[float]] = [[] for _ in sheet.sentences]
    said: list[list[float]] = [[] for _ in sheet.sentences]
    for sentence, word, probability in zip(sheet.row_sentences, sheet.words, words, strict=True):
        own[sentence].append(probability)
        said[sentence].append(odds.get(word, 0.0))
    rows = []
    for row, got, known, phrased in zip(sheet.sentences, own, said, phrases, strict=True):
        count, known_sum = max(len(got), 1), sum(known)
        top = _first(sorted(got, reverse=True), 3)
        odds_of = (max(known, default=0.0), known_sum / count, known_sum)
        rows.append([*row, *top, sum(got) / count, sum(got), *odds_of, phrased])
    return rows


def answer_row(
    sheet: Sheet,
    words: Sequence[float],
    sentences: Sequence[float],
    odds: Mapping[str, float],
    phrases: Sequence[float],
    whole: float,
) -> list[float]:
    """The answer's counts with what its sentences and words got and what its phrases say."""
    ranked = sorted(sentences, reverse=True)
    tops = sorted(words, reverse=True)
    clean = 1.0
    for probability in sentences:
        clean *= 1.0 - probability
    count = max(len(sentences), 1)
    known = sum(odds.get(word, 0.0) for word in sheet.words)
    return [
        *sheet.answer, *_first(ranked, 3), sum(sentences) / count, 1.0 - clean, sum(sentences),
        sentences[-1] if sentences else 0.0, *_first(tops, 1), tops[2] if len(tops) > 2 else 0.0,
        sum(words) / max(len(words), 1), known / max(len(words), 1),
        max(phrases, default=0.0), sum(phrases) / count, whole,
    ]  # fmt: skip


def _first(ranked: Sequence[float], count: int) -> list[float]:
    return [ranked[i] if i < len(ranked) else 0.0 for i in range(count)]


def _refuse_other_columns(data: Mapping[str, Any], where: str) -> None:
    if data.get("schema") != SCHEMA:
        raise ValueError("schema")
    known = columns()
    if any(data["columns"].get(level) != known[level] for level in known if level in data):
        raise BadInput(f"{where} was fitted on other columns than this version counts; fit it again")


@lru_cache(maxsize=1)
def _shipped() -> SupportModel:
    found = resources.files("proofing.learning").joinpath("data", SHIPPED)
    if not found.is_file():
        raise FileNotFoundError("no support model ships with this build")
    return SupportModel.of_bytes(found.read_bytes(), "the shipped support model")


@lru_cache(maxsize=4)
def _loaded(path: str) -> SupportModel:
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the model {path}: {error.strerror or error}") from error
    return SupportModel.of_bytes(raw, path)
