"""A folder that Hugging Face `datasets` loads: a card with its configuration, and one file a split.

Every row has the same keys, null where there is nothing. A split is by source: rows of one source lie on one side. The
rows stand as JSON Lines and, where pyarrow is installed, as Parquet too, which is then what the card names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from proofing.errors import BadInput
from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.bundles import opened_bundle
from proofing.exchange.jsonl import LineFault, records_of
from proofing.exchange.reviews import split_of
from proofing.exchange.rows import Row
from proofing.exchange.sinks import json_bytes

SPLITS = ("train", "test")
#: Rows held before they are written as one group of a Parquet file.
ROW_GROUP = 1000
_SPAN = {"start": "int64", "end": "int64", "text": "string", "type": "string"}
#: The columns in order, as the card and the Parquet files declare them.
FEATURES: dict[str, Any] = {
    "id": "string", "external_id": "string", "question": "string", "answer": "string",
    "sources": [{"id": "string", "text": "string"}], "model": "string", "task": "string", "locale": "string",
    "label": "int64", "labels": [_SPAN], "unsupported_probability": "float64", "decision": "string",
    "final_text": "string", "group": "string",
}  # fmt: skip


def record_of_row(row: Row) -> dict[str, Any]:
    """One row of the data set: the keys of `FEATURES`, all of them."""
    line = row.line
    return {
        "id": row.key,
        "external_id": line.external_id,
        "question": line.question,
        "answer": line.answer,
        "sources": [{"id": source.id, "text": source.text} for source in line.sources],
        "model": line.model or None,
        "task": line.task or None,
        "locale": line.locale,
        "label": line.label,
        "labels": None if row.spans is None else [span.to_dict() for span in row.spans],
        "unsupported_probability": line.score,
        "decision": row.last_decision,
        "final_text": row.taken,
        "group": line.group or None,
    }


class DatasetFolder:
    """Writes the folder; both splits have a file, be it an empty one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "data").mkdir(parents=True, exist_ok=True)
        self._files = {name: open(folder / "data" / f"{name}.jsonl", "wb") for name in SPLITS}  # noqa: SIM115
        self._rows = dict.fromkeys(SPLITS, 0)
        packed = find_spec("pyarrow") is not None
        self._parquet = {name: _Parquet(folder / "data" / f"{name}.parquet") for name in SPLITS} if packed else {}

    def add(self, row: Row) -> None:
        record = record_of_row(row)
        split = row.split if row.split in SPLITS else split_of(row.line.group or _sources_key(row))
        self._files[split].write(json_bytes(record) + b"\n")
        if self._parquet:
            self._parquet[split].add(record)
        self._rows[split] += 1

    def close(self) -> None:
        sizes = {name: file.tell() for name, file in self._files.items()}
        for file in self._files.values():
            file.close()
        for parquet in self._parquet.values():
            parquet.close()
        text = card(self._rows, sizes, packed=bool(self._parquet))
        (self._folder / "README.md").write_text(text, encoding="utf-8")


def _sources_key(row: Row) -> str:
    return json.dumps(sorted(source.text for source in row.line.sources), ensure_ascii=False)


class _Parquet:
    """One Parquet file, written a group of rows at a time."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._schema = pa.schema([(name, _arrow(kind)) for name, kind in FEATURES.items()])
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._held: list[Mapping[str, Any]] = []

    def add(self, record: Mapping[str, Any]) -> None:
        self._held.append(record)
        if len(self._held) >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._held, schema=self._schema))
        self._held = []

    def close(self) -> None:
        if self._held:
            self._flush()
        self._writer.close()


def _arrow(kind: Any) -> Any:
    import pyarrow as pa

    if isinstance(kind, list):
        return pa.list_(pa.struct([(name, _arrow(part)) for name, part in kind[0].items()]))
    return {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64()}[kind]


def card(rows: Mapping[str, int], sizes: Mapping[str, int], *, packed: bool) -> str:
    """README.md: what `datasets` reads in its head, and what people read below.

    Its head names the files of one kind only: a folder is loaded as Parquet or as JSON, never as both.
    """
    kind = "parquet" if packed else "jsonl"
    lines = ["---", "configs:", "- config_name: default", "  data_files:"]
    for name in SPLITS:
        lines += [f"  - split: {name}", f"    path: data/{name}.{kind}"]
    lines += ["dataset_info:", "  config_name: default", "  features:", *_yaml_features(), "  splits:"]
    for name in SPLITS:
        lines += [f"  - name: {name}", f"    num_bytes: {sizes[name]}", f"    num_examples: {rows[name]}"]
    lines += ["---", "", "# Labelled answers", "", _ABOUT]
    return "\n".join(lines) + "\n"


_ABOUT = """One row an answer: the question, the sources it was written from, and what people said of it. `label` 1 =
something in it is not backed by the sources, 0 = all is, null = not said. `labels` are the spans, null when nobody said
which; offsets count Unicode code points. Rows that share a source lie on one side of the split."""


def _yaml_features() -> list[str]:
    lines = []
    for name, kind in FEATURES.items():
        lines.append(f"  - name: {name}")
        if isinstance(kind, list):
            lines.append("    list:")
            for part, own in kind[0].items():
                lines += [f"    - name: {part}", f"      dtype: {own}"]
        else:
            lines.append(f"    dtype: {kind}")
    return lines


# Reading ---------------------------------------------------------------------------------------------------------


def scan_dataset(path: str | Path) -> Iterator[tuple[int, AnswerLine | LineFault]]:
    """Answers of a folder, or of a zip file of it, numbered through its files.

    Of each split the JSON Lines are read, or the Parquet file where there are none.

    Raises:
        BadInput: it holds no such files, or they cannot be read.
    """
    with opened_bundle(path) as bundle:
        data = [name for name in bundle.names if name.endswith((".jsonl", ".parquet"))]
        lines = {name.removesuffix(".jsonl") for name in data if name.endswith(".jsonl")}
        chosen = [n for n in data if n.endswith(".jsonl") or n.removesuffix(".parquet") not in lines]
        if not chosen:
            raise BadInput(f"{path} holds no .jsonl and no .parquet file")
        number = 0
        for name in chosen:
            records = (
                _lines_of(bundle.open(name), name) if name.endswith(".jsonl") else _rows_of(bundle.open(name), name)
            )
            for record in records:
                number += 1
                try:
                    yield number, record if isinstance(record, LineFault) else answer_of_example(record, number)
                except LineFault as fault:
                    yield number, fault


def _lines_of(stream: Any, name: str) -> Iterator[Mapping[str, Any] | LineFault]:
    for _, record, _ in records_of(stream, name):
        yield record


def _rows_of(stream: Any, name: str) -> Iterator[Mapping[str, Any]]:
    if find_spec("pyarrow") is None:
        raise BadInput(f"{name} is a Parquet file; reading it needs pyarrow (pip install 'proofmark[exchange]')")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        for batch in pq.ParquetFile(stream).iter_batches(batch_size=ROW_GROUP):
            yield from batch.to_pylist()
    except pa.ArrowException as error:
        raise BadInput(f"cannot read {name}: {error}") from error


def answer_of_example(record: Mapping[str, Any], number: int) -> AnswerLine:
    """One answer from a row.

    Raises:
        LineFault: with the field and the reason.
    """
    score = {"score": record["unsupported_probability"]} if record.get("unsupported_probability") is not None else {}
    return answer_of_record({**record, **score}, line=number)
