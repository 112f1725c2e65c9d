"""Label Studio tasks: `data`, `predictions` (the engine's marks) and `annotations` (what people said).

Its browser counts in UTF-16 code units, so that is what is written; what is read is verified by its text, in UTF-16
first and then in other units. The labelling configuration that the tasks need lies beside them.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from proofing.exchange.answers import AnswerLine, SpanLabel, answer_of_record, whole_number
from proofing.exchange.arrays import scan_objects, scan_stream
from proofing.exchange.bundles import opened_bundle
from proofing.exchange.jsonl import LineFault, json_type
from proofing.exchange.rows import REASONS, Row, added_spans
from proofing.exchange.sinks import JsonList, singly
from proofing.exchange.spans import utf16_span, verified_span
from proofing.learning import labels as rules

TASKS, CONFIG = "tasks.json", "labeling_config.xml"
SPANS, VERDICT, TEXT = "unsupported", "verdict", "answer"
#: The label of words whose kind is not known.
PLAIN = "unsupported"
_COLOURS = ("#b3261e", "#b26a00", "#6750a4", "#00639b", "#386a20", "#7d5260", "#8c4a60", "#5f6368")


def labeling_config() -> str:
    """The configuration of a project that takes these tasks."""
    labels = "\n".join(
        f'      <Label value="{name}" background="{colour}"/>'
        for name, colour in zip((PLAIN, *REASONS), _COLOURS, strict=True)
    )
    return f"""<View>
  <Header value="Question"/>
  <Text name="question" value="$question"/>
  <Header value="Sources"/>
  <Text name="context" value="$context"/>
  <Header value="Mark the words of the answer that the sources do not back"/>
  <Labels name="{SPANS}" toName="{TEXT}">
{labels}
  </Labels>
  <Text name="{TEXT}" value="$answer" granularity="word"/>
  <Choices name="{VERDICT}" toName="{TEXT}" choice="single" showInline="true">
    <Choice value="{rules.UNSUPPORTED}"/>
    <Choice value="{rules.SUPPORTED}"/>
  </Choices>
</View>
"""


# Writing ---------------------------------------------------------------------------------------------------------


class LabelStudioFolder:
    """Writes the tasks and their configuration into a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CONFIG).write_text(labeling_config(), encoding="utf-8")
        self._file = open(folder / TASKS, "wb")  # noqa: SIM115 - closed with the sink
        self._people: dict[str, int] = {}
        self._tasks = JsonList(self._file, singly(lambda row: task_of_row(row, self._people)))

    def add(self, row: Row) -> None:
        self._tasks.add(row)

    def close(self) -> None:
        self._tasks.close()
        self._file.close()


def task_of_row(row: Row, people: dict[str, int]) -> dict[str, Any]:
    """One task. `people` numbers the reviewers as they come: Label Studio knows people by numbers of its own."""
    line = row.line
    data = {
        "id": row.key,
        "external_id": line.external_id,
        "question": line.question,
        "context": "\n\n".join(f"[{source.id}]\n{source.text}" for source in line.sources),
        "answer": line.answer,
        "sources": [{"id": source.id, "text": source.text} for source in line.sources],
        "model": line.model or None,
        "task": line.task or None,
        "locale": line.locale,
    }
    return {"data": data, "predictions": _predictions(row), "annotations": _annotations(row, people)}


def _predictions(row: Row) -> list[dict[str, Any]]:
    if not row.engine:
        return []
    regions = [
        {**_region(f"m{index}", row.line.answer, mark["start"], mark["end"], mark.get("reason")),
         "score": mark.get("probability")}
        for index, mark in enumerate(row.marks)
    ]  # fmt: skip
    return [
        {
            "model_version": f"proofmark {row.engine}",
            "score": row.scan.get("unsupported_probability"),
            "result": regions,
        }
    ]


def _annotations(row: Row, people: dict[str, int]) -> list[dict[str, Any]]:
    out = []
    for review in row.reviews:
        spans = _spans_of_review(row, review)
        decision = str(review.get("decision"))
        label = rules.answer_label(decision, wording_only=bool(review.get("wording_only")))
        result = [_region(f"s{n}", row.line.answer, s.start, s.end, s.type) for n, s in enumerate(spans)]
        if label is not None:
            result.append(_choice(label))
        out.append(
            {
                "completed_by": people.setdefault(str(review.get("reviewer")), len(people) + 1),
                "was_cancelled": decision == rules.SKIP,
                "ground_truth": False,
                "lead_time": review.get("seconds") or 0.0,
                "result": result,
            }
        )
    if row.spans is not None and (not row.reviews or row.line.labels is not None):
        # Gold, or labels that came with the answer.
        result = [_region(f"g{n}", row.line.answer, s.start, s.end, s.type) for n, s in enumerate(row.spans)]
        label = row.line.label if row.line.label is not None else int(bool(row.spans))
        out.append({"completed_by": people.setdefault("", len(people) + 1), "was_cancelled": False,
                    "ground_truth": True, "lead_time": 0.0, "result": [*result, _choice(label)]})  # fmt: skip
    return out


def _spans_of_review(row: Row, review: Mapping[str, Any]) -> list[SpanLabel]:
    said = {
        str(verdict.get("mark_id"))
        for verdict in review.get("verdicts") or ()
        if verdict.get("verdict") == rules.UNSUPPORTED
    }
    marked = [SpanLabel(m["start"], m["end"], m["text"], m.get("reason") or "") for m in row.marks if m["id"] in said]
    return sorted([*marked, *added_spans(review, row.line.answer)], key=lambda span: (span.start, span.end))


def _region(name: str, answer: str, start: int, end: int, kind: Any) -> dict[str, Any]:
    first, last = utf16_span(answer, start, end)
    label = kind if kind in REASONS else PLAIN
    value = {"start": first, "end": last, "text": answer[start:end], "labels": [label]}
    return {"id": name, "from_name": SPANS, "to_name": TEXT, "type": "labels", "value": value}


def _choice(label: int) -> dict[str, Any]:
    word = rules.UNSUPPORTED if label else rules.SUPPORTED
    return {"id": "verdict", "from_name": VERDICT, "to_name": TEXT, "type": "choices", "value": {"choices": [word]}}


# Reading ---------------------------------------------------------------------------------------------------------


def scan_tasks(path: Path) -> Iterator[tuple[int, dict[str, Any] | LineFault]]:
    """Numbered tasks of a JSON file, or of the folder or zip file that `LabelStudioFolder` wrote.

    Raises:
        BadInput: there is no readable file of tasks.
    """
    if path.is_dir() or zipfile.is_zipfile(path):
        with opened_bundle(path) as bundle:
            yield from scan_stream(bundle.open(TASKS), TASKS)
    else:
        yield from scan_objects(path)


def answer_of_task(task: Mapping[str, Any], number: int) -> AnswerLine:
    """One answer from a task; its labels are those of the ground truth, or else of the last annotation that stands.

    Raises:
        LineFault: with the field and the reason.
    """
    data = task.get("data")
    if not isinstance(data, Mapping):
        raise LineFault(f"must be an object, not {json_type(data)}", field="data", line=number)
    record: dict[str, Any] = dict(data)
    if not any(record.get(name) for name in ("sources", "contexts", "retrieved_contexts")):
        record["sources"] = [record["context"]] if isinstance(record.get("context"), str) else record.get("context")
    if record.get("id") is None:
        record["id"] = task.get("id")
    annotation = _standing(task.get("annotations") or (), number)
    answer = record.get("answer", record.get("response"))
    if annotation is not None and isinstance(answer, str):
        results = [result for result in annotation.get("result") or () if isinstance(result, Mapping)]
        spans = [_span(result, answer, number) for result in results if isinstance(_labels_of(result), list)]
        record["labels"] = [span for span, _ in spans]
        record["label"] = _said(results, bool(spans))
        record["span_units"] = sorted({unit for _, unit in spans})
    return answer_of_record(record, line=number)


def _standing(annotations: Any, number: int) -> Mapping[str, Any] | None:
    if not isinstance(annotations, Iterable):
        raise LineFault(f"must be a list, not {json_type(annotations)}", field="annotations", line=number)
    kept = [item for item in annotations if isinstance(item, Mapping) and not item.get("was_cancelled")]
    truths = [item for item in kept if item.get("ground_truth")]
    standing = truths or kept
    return standing[-1] if standing else None


def _labels_of(result: Mapping[str, Any]) -> Any:
    value = result.get("value")
    return value.get(str(result.get("type"))) if isinstance(value, Mapping) and "start" in value else None


def _span(result: Mapping[str, Any], answer: str, number: int) -> tuple[dict[str, Any], str]:
    value = result["value"]
    start, end = (whole_number(value, name, "annotations.result.value") for name in ("start", "end"))
    text = value.get("text")
    span = verified_span(answer, start, end, text if isinstance(text, str) else None, first="utf-16")
    if span is None:
        raise LineFault(f"{start}-{end} is no span of the answer that reads as its text", field="annotations",
                        line=number)  # fmt: skip
    kind = str((_labels_of(result) or [""])[0])
    return {
        "start": span[0], "end": span[1], "text": answer[span[0] : span[1]], "type": "" if kind == PLAIN else kind
    }, span[2]  # fmt: skip


def _said(results: Iterable[Mapping[str, Any]], any_spans: bool) -> int:
    for result in results:
        value = result.get("value")
        if result.get("type") == "choices" and isinstance(value, Mapping):
            for word, label in ((rules.UNSUPPORTED, 1), (rules.SUPPORTED, 0)):
                if word in (value.get("choices") or ()):
                    return label
    return int(any_spans)
