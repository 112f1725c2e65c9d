"""What reviewers decided, one JSON object a line (`reviews/1`), with a manifest beside it.

The line is the superset every other format is a projection of: the question, sources and answer, what the
engine found (`scan`), what people said (`reviews`), the agreed label (`gold`), how the item was drawn
(`sampling`) and its side of the split. `labelled_answer` reads a line back as a labelled example by the table
in `proofing.learning.labels`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from proofing.exchange.answers import AnswerLine, answer_of_record, as_float
from proofing.exchange.jsonl import LineFault, scan_records
from proofing.learning import labels as rules

SCHEMA = "reviews/1"
#: 80 of 100 sources to fit on, 20 held out, by hash of the source: see `split_of`.
SPLIT_RULE = "group = sources joined by any shared text; sha256(group)[:8] % 100 < 80 = train, else test"


# Writing ---------------------------------------------------------------------------------------------------


def review_line(
    report: Mapping[str, Any],
    *,
    question: str,
    sources: Sequence[tuple[str, str]],
    answer: str,
    model: str = "",
    external_id: str | None = None,
    reviews: Sequence[Mapping[str, Any]] = (),
    gold: Mapping[str, Any] | None = None,
    sampling: Mapping[str, Any] | None = None,
    split: str | None = None,
) -> dict[str, Any]:
    """One `reviews/1` line.

    Args:
        report: the stored `report/1` the decisions were made on.
        sources: (id, text) in the order the engine saw them.
        reviews: dicts with id, reviewer, decision, final, verdicts and so on (see docs/contract.md); missing
            fields become null, so every line has the same keys.
        gold: by, how, labels, answer (0, 1 or null): the one agreed label.
        sampling: policy and probability with which the item was drawn.
    """
    healing = report.get("healing") or {}
    return {
        "schema": SCHEMA,
        "offset_unit": "codepoint",
        "id": report.get("id"),
        "external_id": external_id,
        "question": question,
        "sources": [{"id": key, "text": text} for key, text in sources],
        "answer": {"text": answer, "sha256": _sha256(answer), "model": model or None},
        "scan": {
            "engine": report.get("engine"),
            "settings": report.get("settings"),
            "unsupported_probability": report.get("unsupported_probability"),
            "above_cut": report.get("above_cut"),
            "floor": report.get("floor"),
            "risk": report.get("risk"),
            "route": (report.get("quality") or {}).get("route"),
            "sha256": report.get("sha256"),
            "marks": [_mark_dict(index, mark) for index, mark in enumerate(report.get("marks") or ())],
            "edits": list(healing.get("edits") or ()),
            "healed": healing.get("text"),
        },
        "reviews": [_review_dict(review) for review in reviews],
        "gold": dict(gold) if gold else None,
        "sampling": dict(sampling) if sampling else None,
        "split": split,
    }


def _mark_dict(index: int, mark: Mapping[str, Any]) -> dict[str, Any]:
    receipt = mark.get("receipt") or {}
    sentence = receipt.get("sentence") or {}
    out: dict[str, Any] = {"id": f"m{index}"}
    out.update({k: mark.get(k) for k in ("start", "end", "text", "support", "probability", "kind", "reason")})
    shown = {key: receipt.get(key) for key in ("source_id", "start", "end", "text")}
    return {**out, "receipt": {**shown, "sentence": sentence.get("text")}}


_REVIEW_FIELDS: dict[str, Any] = {
    "id": None, "reviewer": None, "decision": None, "final": None, "guideline_version": None, "seconds": None,
    "wording_only": False, "switched_off": (), "verdicts": (), "added": (), "nothing_else_unsupported": False,
    "marks_hidden_first": False,
}  # fmt: skip


def _review_dict(review: Mapping[str, Any]) -> dict[str, Any]:
    out = {name: review.get(name, default) for name, default in _REVIEW_FIELDS.items()}
    for name in ("switched_off", "verdicts", "added"):
        out[name] = list(out[name] or ())
    return out


def pseudonym(name: str, salt: str) -> str:
    """A stable stand-in for a reviewer's name; without the salt it cannot be traced back."""
    return "reviewer-" + _sha256(f"{salt}\n{name}")[:10]


def write_reviews(
    path: str | Path,
    lines: Iterable[Mapping[str, Any]],
    *,
    created_at: str,
    created_by: str = "",
    filters: Mapping[str, Any] | None = None,
    threshold: Mapping[str, Any] | None = None,
    guideline_versions: Sequence[str] = (),
    pseudonyms: bool = True,
) -> dict[str, Any]:
    """Write `lines` to `path` and the manifest to ``<path>.manifest.json``; returns the manifest.

    Lines are streamed: memory does not grow with their number. The time is given, never read from the clock.
    """
    path = Path(path)
    digest = hashlib.sha256()
    counts = {"rows": 0, "label_0": 0, "label_1": 0, "unlabelled": 0, "mark_verdicts": 0}
    engines: set[str] = set()
    with open(path, "wb") as stream:
        for line in lines:
            raw = canonical_json(line) + b"\n"
            stream.write(raw)
            digest.update(raw)
            counts["rows"] += 1
            example = labelled_answer(line)
            counts["unlabelled" if example.label is None else f"label_{example.label}"] += 1
            counts["mark_verdicts"] += len(mark_examples(line))
            engines.add(str(((line.get("scan") or {}).get("engine") or {}).get("version", "")))
    manifest = {
        "schema": "manifest/1",
        "lines": SCHEMA,
        "offset_unit": "codepoint",
        "counts": counts,
        "filters": dict(filters or {}),
        "engine_versions": sorted(engines - {""}),
        "threshold": dict(threshold) if threshold else None,
        "guideline_versions": sorted(set(guideline_versions)),
        "split_rule": SPLIT_RULE,
        "files": {path.name: {"sha256": digest.hexdigest(), "rows": counts["rows"]}},
        "created_at": created_at,
        "created_by": created_by,
        "reviewer_names_are_pseudonyms": pseudonyms,
    }
    beside = path.with_name(path.name + ".manifest.json")
    beside.write_text(json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return manifest


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys and no spare white space: the same value gives the same bytes."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# Splitting -------------------------------------------------------------------------------------------------


def groups_by_source(source_texts: Sequence[Sequence[str]]) -> list[str]:
    """A group name per row, such that rows which share any source text (even through others) share a group."""
    parent = list(range(len(source_texts)))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = parent[row]
        return row

    first_with: dict[str, int] = {}
    for row, texts in enumerate(source_texts):
        for text in texts:
            parent[root(row)] = root(first_with.setdefault(text, row))
    names: dict[int, str] = {}
    for row, texts in enumerate(source_texts):
        smallest = min((_sha256(text) for text in texts), default=_sha256(f"row {row}"))
        top = root(row)
        names[top] = min(names.get(top, smallest), smallest)
    return [names[root(row)][:12] for row in range(len(source_texts))]


def split_of(group: str) -> str:
    """``train`` or ``test``: which side of the split a group of sources is on (`SPLIT_RULE`)."""
    return "train" if int(_sha256(group)[:8], 16) % 100 < 80 else "test"


# Reading back ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A labelled example: the answer line (its `label` may be None) and how its label came about.

    ``how``: ``gold``, ``explicit`` (a person judged words), ``implied`` (by the decision alone) or ``given``
    (the line carried the label). ``marks`` are (score, label) of explicitly judged marks.
    """

    line: AnswerLine
    how: str
    marks: tuple[tuple[float, int], ...] = ()


def scan_labelled(path: str | Path) -> Iterator[LabelledAnswer | LineFault]:
    """Labelled examples of a file whose lines are `answers/1` or `reviews/1`, with faults in their place.

    Raises:
        BadInput: the file cannot be opened.
    """
    for number, record in scan_records(path):
        if isinstance(record, LineFault):
            yield record
            continue
        try:
            yield labelled_of_record(record, number)
        except LineFault as fault:
            yield fault


def labelled_of_record(record: Mapping[str, Any], number: int | None = None) -> LabelledAnswer:
    """One labelled example from a decoded line of either schema.

    Raises:
        LineFault: the line cannot be used.
    """
    schema = record.get("schema")
    if schema == SCHEMA:
        line = labelled_answer(record, number)
        return LabelledAnswer(line, _how(record), tuple(mark_examples(record)))
    if schema not in (None, "answers/1"):
        raise LineFault(f"unknown schema {schema!r}; answers/1 and reviews/1 are read", field="schema", line=number)
    return LabelledAnswer(answer_of_record(record, line=number), "given")


def labelled_answer(record: Mapping[str, Any], number: int | None = None) -> AnswerLine:
    """A `reviews/1` line as an answer with the label its gold or its reviews give it (None: they do not say).

    The score of the line is the engine's own `unsupported_probability`.

    Raises:
        LineFault: the line cannot be used.
    """
    answer = record.get("answer")
    if not isinstance(answer, Mapping):
        raise LineFault("must be an object with the text", field="answer", line=number)
    scan = _mapping(record, "scan")
    flat = {name: record.get(name) for name in ("id", "external_id", "question", "sources")}
    flat |= {"answer": answer.get("text"), "model": answer.get("model"), "task": record.get("task")}
    flat |= {"score": scan.get("unsupported_probability"), "labels": _gold_spans(record)}
    try:
        line = answer_of_record(flat, line=number)
        return replace(line, label=_label_of(record), group=str(record.get("group") or ""))
    except (TypeError, AttributeError, KeyError) as error:
        raise LineFault("its reviews or scan do not have the shape of reviews/1", line=number) from error


def mark_examples(record: Mapping[str, Any]) -> list[tuple[float, int]]:
    """(probability, label) of each mark that people judged explicitly and in agreement; `unsure` is left out."""
    marks = _mapping(record, "scan").get("marks") or []
    said: dict[str, list[int]] = {}
    for review in record.get("reviews") or []:
        for verdict in review.get("verdicts") or []:
            if verdict.get("source") == "explicit" and verdict.get("verdict") in (rules.UNSUPPORTED, rules.SUPPORTED):
                label = int(verdict["verdict"] == rules.UNSUPPORTED)
                said.setdefault(str(verdict.get("mark_id")), []).append(label)
    out = []
    for mark in marks:
        agreed = rules.agreed_label(said.get(str(mark.get("id")), ()))
        probability = mark.get("probability")
        if agreed is not None and isinstance(probability, int | float) and not isinstance(probability, bool):
            out.append((as_float(probability, "probability"), agreed))
    return out


def _mapping(record: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = record.get(field) or {}
    if not isinstance(value, Mapping):
        raise LineFault("must be an object", field=field)
    return value


def _label_of(record: Mapping[str, Any]) -> int | None:
    gold = record.get("gold")
    if isinstance(gold, Mapping) and gold.get("answer") in (0, 1):
        return int(gold["answer"])
    edits = [_caused(edit) for edit in _mapping(record, "scan").get("edits") or []]
    return rules.agreed_label(_review_label(review, edits) for review in record.get("reviews") or [])


def settling_reviews(record: Mapping[str, Any], label: int | None) -> tuple[Mapping[str, Any], ...]:
    """The reviews that say what the line says; none while reviewers are at odds and nobody has settled it."""
    if label is None:
        return ()
    edits = [_caused(edit) for edit in _mapping(record, "scan").get("edits") or []]
    return tuple(review for review in record.get("reviews") or () if _review_label(review, edits) == label)


def _review_label(review: Mapping[str, Any], edits: Sequence[rules.CausedEdit]) -> int | None:
    decision = rules.effective_decision(str(review.get("decision")), edits, review.get("switched_off") or ())
    return rules.answer_label(decision, wording_only=bool(review.get("wording_only")))


def _caused(edit: Mapping[str, Any]) -> rules.CausedEdit:
    return rules.CausedEdit(tuple(edit.get("marks") or ()), edit.get("parent"))


def _how(record: Mapping[str, Any]) -> str:
    if isinstance(record.get("gold"), Mapping) and record["gold"].get("answer") in (0, 1):
        return "gold"
    for review in record.get("reviews") or []:
        judged = any(verdict.get("source") == "explicit" for verdict in review.get("verdicts") or [])
        if judged or review.get("added") or review.get("nothing_else_unsupported"):
            return "explicit"
    return "implied"


def _gold_spans(record: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    gold = record.get("gold")
    if not isinstance(gold, Mapping) or not isinstance(gold.get("labels"), list):
        return None
    return [
        {"start": span.get("start"), "end": span.get("end"), "text": span.get("text"), "type": rules.UNSUPPORTED}
        for span in gold["labels"]
        if isinstance(span, Mapping) and span.get("verdict", rules.UNSUPPORTED) == rules.UNSUPPORTED
    ]
