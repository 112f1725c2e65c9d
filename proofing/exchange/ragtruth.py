"""RAGTruth: answers in ``response.jsonl``, what they were made from in ``source_info.jsonl``.

Sources are joined there into one text, or for questions into numbered passages. Our own files carry the sources one by
one as well (under ``sources``, which others pass over), so that they come back as they were.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine, SpanLabel, answer_of_record
from proofing.exchange.bundles import opened_bundle
from proofing.exchange.jsonl import LineFault, numbered_lines, record_of_bytes
from proofing.exchange.rows import REASONS, Row
from proofing.exchange.sinks import json_bytes

RESPONSES, SOURCES = "response.jsonl", "source_info.jsonl"
CONFLICT, BASELESS = "Evident Conflict", "Evident Baseless Info"
TYPES = (CONFLICT, "Subtle Conflict", BASELESS, "Subtle Baseless Info")
#: Words the sources do not hold are baseless; all other reasons say that a source speaks against them.
_TYPE_OF = {"absent": BASELESS, "": BASELESS}
_TASKS = {"qa": "QA", "summary": "Summary", "data2txt": "Data2txt"}
_PASSAGE = re.compile(r"(?:^|\n\n)passage \d+:", re.IGNORECASE)


# Writing ---------------------------------------------------------------------------------------------------------


class RagtruthFolder:
    """Writes the pair of files into a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._responses = open(folder / RESPONSES, "wb")  # noqa: SIM115 - closed with the sink
        self._sources = open(folder / SOURCES, "wb")  # noqa: SIM115
        self._known: set[str] = set()
        self._rows = 0

    def add(self, row: Row) -> None:
        info = source_info(row)
        response = response_of(row, info["source_id"])
        if info["source_id"] not in self._known:
            self._known.add(info["source_id"])
            self._sources.write(json_bytes(info) + b"\n")
        self._responses.write(json_bytes(response) + b"\n")
        self._rows += 1

    def close(self) -> None:
        self._responses.close()
        self._sources.close()


def response_of(row: Row, source_id: str) -> dict[str, Any]:
    """One line of ``response.jsonl``.

    Raises:
        LineFault: it is not known which words are unsupported.
    """
    line = row.line
    return {
        "id": row.key,
        "source_id": source_id,
        "model": line.model,
        "temperature": None,
        "labels": [_label(span) for span in row.known_spans()],
        "split": row.split or "train",
        "quality": "good",
        "response": line.answer,
    }


def _label(span: SpanLabel) -> dict[str, Any]:
    kind = span.type if span.type in TYPES else _TYPE_OF.get(span.type, CONFLICT)
    return {
        "start": span.start,
        "end": span.end,
        "text": span.text,
        "meta": span.type if span.type not in TYPES else "",
        "label_type": kind,
        "implicit_true": False,
        "due_to_null": False,
    }


def source_info(row: Row) -> dict[str, Any]:
    """One line of ``source_info.jsonl``, named by a hash of question and sources."""
    line = row.line
    sources = [source.text for source in line.sources]
    digest = hashlib.sha256(json_bytes([line.question, line.task, [[s.id, s.text] for s in line.sources]])).hexdigest()
    task = _TASKS.get(line.task.lower(), "QA")
    passages = "\n\n".join(f"passage {n}:{text}" for n, text in enumerate(sources, start=1))
    info: Any = {"question": line.question, "passages": passages} if task == "QA" else "\n\n".join(sources)
    return {
        "source_id": digest[:16],
        "task_type": task,
        "source": "Proofmark",
        "source_info": info,
        "prompt": f"{line.question}\n\n{passages}".strip(),
        "question": line.question,
        "sources": [{"id": source.id, "text": source.text} for source in line.sources],
    }


# Reading ---------------------------------------------------------------------------------------------------------


def scan_ragtruth(path: str | Path) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Answers of a folder, or of a zip file of it, that holds the two files.

    Raises:
        BadInput: a file is missing or cannot be read.
    """
    with opened_bundle(path) as bundle:
        places = {}
        sources = bundle.open(SOURCES)
        start = 0
        for number, raw, after in numbered_lines(sources, SOURCES):
            if not isinstance(raw, LineFault) and raw.strip():
                places[_source_id(record_of_bytes(raw, number))] = start
            start = after
        for number, raw, _ in numbered_lines(bundle.open(RESPONSES), RESPONSES):
            if isinstance(raw, LineFault):
                yield number, raw
            elif raw.strip():
                try:
                    record = record_of_bytes(raw, number)
                    place = places.get(_source_id(record))
                    if place is None:
                        raise LineFault(f"is in no line of {SOURCES}", field="source_id", line=number)
                    sources.seek(place)
                    yield number, answer_of_pair(record, record_of_bytes(sources.readline()), number)
                except LineFault as fault:
                    yield number, fault


def _source_id(record: Mapping[str, Any]) -> str:
    return str(record.get("source_id"))


def answer_of_pair(response: Mapping[str, Any], info: Mapping[str, Any], number: int | None = None) -> AnswerLine:
    """One answer from a line of each file.

    Raises:
        LineFault: with the field and the reason.
    """
    question, sources = _question_and_sources(info)
    labels = response.get("labels")
    spans = labels if isinstance(labels, list) else []
    record = {
        "id": response.get("id"),
        "question": question,
        "answer": response.get("response"),
        "sources": sources,
        "model": response.get("model") or None,
        "task": str(info.get("task_type") or "").lower() or None,
        "label": None if labels is None else int(bool(spans)),
        "labels": [_span(span) for span in spans],
        "group": str(info.get("source_id") or ""),
    }
    return answer_of_record(record, line=number)


def _span(span: Any) -> Any:
    if not isinstance(span, Mapping):
        return span  # the reader of answers says what is wrong with it
    kind = span.get("meta") if span.get("meta") in REASONS else span.get("label_type")
    return {"start": span.get("start"), "end": span.get("end"), "text": span.get("text"), "type": kind}


def _question_and_sources(info: Mapping[str, Any]) -> tuple[str, list[Any]]:
    if isinstance(info.get("sources"), list):
        return str(info.get("question") or ""), list(info["sources"])
    given = info.get("source_info")
    if isinstance(given, Mapping) and "passages" in given:
        return str(given.get("question") or ""), _passages(str(given.get("passages") or ""))
    if isinstance(given, str):
        return _instruction(str(info.get("prompt") or ""), given), [given]
    if given is None:
        raise BadInput(f"{SOURCES}: source_info is missing in the line of {_source_id(info)}")
    return _instruction(str(info.get("prompt") or ""), ""), [json.dumps(given, ensure_ascii=False)]


def _passages(text: str) -> list[str]:
    starts = [match.end() for match in _PASSAGE.finditer(text)]
    if not starts:
        return [text]
    ends = [*[match.start() for match in _PASSAGE.finditer(text)][1:], len(text)]
    return [text[a:b].strip() for a, b in zip(starts, ends, strict=True)]


def _instruction(prompt: str, source: str) -> str:
    """What was asked: the prompt up to the source, or its first line."""
    before = prompt.partition(source)[0] if source else prompt.partition("\n")[0]
    return before.strip()[:2000]
