"""Every format by name: what goes out comes back, as far as the format can carry it."""

from __future__ import annotations

import io
import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

from proofing.errors import BadInput
from proofing.exchange.bundles import pack
from proofing.exchange.formats import FORMATS, format_named, imported, poured, rows_of_file
from proofing.exchange.jsonl import BEGINNING, LineFault, Place
from proofing.exchange.sinks import closing
from tests.proofing.exchange.samples import ASTRAL, LABELLED, RTL, labelled, reviewed, span

TWO_WAYS = sorted(form.name for form in FORMATS.values() if form.writes and form.scan and form.name != "reviews")
ONE_FILE = sorted(form.name for form in FORMATS.values() if form.sink)
#: What a format has no place for; the rest of a line must come back as it was.
LOST = {
    "ragas": {"id", "external_id", "label", "labels", "model", "task"},
    "ragtruth": {"external_id"},
    "argilla": set(),
    "openinference": {"labels"},
}


@pytest.fixture
def convert(tmp_path):
    """Writes records as JSON Lines and as the named format; gives the path, and what could not be held."""

    def run(name, records):
        given = tmp_path / "given.jsonl"
        given.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), encoding="utf-8")
        form = format_named(name, to_write=True)
        target = tmp_path / name
        if form.folder is not None:
            with closing(form.folder(target)) as sink:
                faults = list(poured(rows_of_file(given), sink))
        else:
            target = tmp_path / form.file
            with target.open("wb") as stream, closing(form.sink(stream)) as sink:
                faults = list(poured(rows_of_file(given), sink))
        return target, faults

    return run


def carried(name, record):
    kept = {key: value for key, value in record.items() if key not in LOST.get(name, ())}
    if "labels" in kept:
        kept["labels"] = [{key: label[key] for key in ("start", "end", "text", "type")} for label in kept["labels"]]
    return kept


@pytest.mark.parametrize("name", TWO_WAYS)
def test_what_goes_out_comes_back(name, convert):
    target, faults = convert(name, LABELLED)
    assert faults == []
    back = list(imported(name, target))
    assert [b for b in back if isinstance(b, LineFault)] == []
    by_id = {line.get("id"): line for line in back}
    for place, given in enumerate(LABELLED):
        wanted = carried(name, given)
        found = by_id[given["id"]] if "id" in wanted else back[place]
        assert {key: found.get(key, "") for key in wanted if wanted[key] != ""} == {
            key: value for key, value in wanted.items() if value != ""
        }


@pytest.mark.parametrize("name", TWO_WAYS)
def test_spans_read_as_their_text_whatever_counts_them(name, convert):
    target, _ = convert(name, [reviewed(ASTRAL), reviewed(RTL.replace(",", " in,"), id="r-2")])
    for line in imported(name, target):
        assert not isinstance(line, LineFault), line
        for label in line.get("labels") or ():
            assert line["answer"][label["start"] : label["end"]] == label["text"]


@pytest.mark.parametrize("name", [n for n in TWO_WAYS if "label" not in LOST.get(n, ())])
def test_decisions_come_back_as_labels(name, convert):
    target, faults = convert(name, [reviewed(), reviewed(decision="keep", id="r-2") | {"reviews": [
        {"reviewer": "r", "decision": "keep", "final": ASTRAL, "verdicts": [], "added": []}]}])  # fmt: skip
    assert faults == []
    assert [line["label"] for line in imported(name, target)] == [1, 0]


@pytest.mark.parametrize("name", [n for n in TWO_WAYS if "labels" not in LOST.get(n, ())])
def test_words_called_unsupported_or_added_come_back_as_spans(name, convert):
    target, _ = convert(name, [reviewed()])
    (line,) = imported(name, target)
    found = [(label["start"], label["end"], label["text"]) for label in line["labels"]]
    assert found == [(s["start"], s["end"], s["text"]) for s in (span(ASTRAL, "in"), span(ASTRAL, "1932"))]


@pytest.mark.parametrize("name", ["ragtruth", "lettucedetect"])
def test_formats_of_spans_take_no_row_whose_spans_nobody_named(name, convert):
    unknown = [labelled(ASTRAL, label=1, labels=None), labelled(ASTRAL, label=None, labels=None)]
    _, faults = convert(name, unknown)
    assert [fault.line for fault in faults] == [1, 2]
    assert "which words" in str(faults[0])
    assert "not labelled" in str(faults[1])


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_second_export_has_the_same_bytes(name, convert, tmp_path):
    def content(target: Path):
        files = [target] if target.is_file() else sorted(f for f in target.rglob("*") if f.is_file())
        return [(file.name, file.read_bytes()) for file in files]

    lines = [reviewed(), reviewed(RTL.replace(",", " in,"), id="r-2")]
    first = content(convert(name, lines)[0])
    second = content(convert(name, lines)[0])
    if name == "xlsx":  # its container holds the time it was made
        assert len(first) == len(second) == 1
    else:
        assert first == second


@pytest.mark.parametrize("name", [n for n in TWO_WAYS if FORMATS[n].folder])
def test_a_zip_file_of_the_folder_reads_as_the_folder_does(name, convert, tmp_path):
    target, _ = convert(name, LABELLED)
    archive = tmp_path / "packed.zip"
    pack(target, archive)
    assert list(imported(name, archive)) == list(imported(name, target))


@pytest.mark.parametrize("name", TWO_WAYS)
def test_reading_goes_on_at_any_place(name, convert):
    target, _ = convert(name, [labelled(ASTRAL, id=f"a-{n}") | {"question": f"Line\nbreak {n}"} for n in range(6)])
    scan = FORMATS[name].scan
    whole = list(scan(target, None, BEGINNING))
    assert [number for number, _, _ in whole] == sorted({number for number, _, _ in whole})
    for at, (number, _, offset) in enumerate(whole):
        for place in (Place(number, offset), Place(number)):
            rest = list(scan(target, None, place))
            assert [(n, item.to_dict()) for n, item, _ in rest] == [(n, i.to_dict()) for n, i, _ in whole[at + 1 :]]


@pytest.mark.parametrize("name", TWO_WAYS)
@pytest.mark.parametrize("seed", range(8))
def test_broken_bytes_are_faults_or_one_clear_error(name, convert, tmp_path, seed):
    target, _ = convert(name, [labelled(ASTRAL), reviewed()])
    files = [target] if target.is_file() else sorted(f for f in target.rglob("*") if f.is_file())
    chance = random.Random(seed)
    for file in files:
        content = bytearray(file.read_bytes())
        for _ in range(3):
            content[chance.randrange(len(content))] = chance.randrange(256)
        file.write_bytes(content[: chance.randrange(len(content) // 2, len(content) + 1)])
    with suppress(BadInput):
        for line in imported(name, target):
            assert isinstance(line, dict | LineFault)


#: Records of the right keys with values of the wrong kinds.
STRANGE = [None, 1, "x", [], {}, [1], [None], {"a": None}, True, [[]], [{}], {"value": [{}]}]


@pytest.mark.parametrize("name", ["label-studio", "argilla", "lettucedetect", "openinference", "ragas", "answers"])
def test_values_of_the_wrong_kind_are_faults(name, convert, tmp_path):
    target, _ = convert(name, [reviewed()])
    file = target / "tasks.json" if target.is_dir() else target
    text = file.read_text(encoding="utf-8")
    record = json.loads(text)[0] if text.startswith("[") else json.loads(text)

    def spoiled(value, depth=0):
        """The record with one of its parts replaced, for each part."""
        yield from STRANGE
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in parts:
            for other in spoiled(part, depth + 1):
                copy = dict(value) if isinstance(value, dict) else list(value)
                copy[key] = other
                yield copy

    path = tmp_path / "spoiled.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for other in spoiled(record):
            stream.write(json.dumps(other) + "\n")
    for line in imported(name, path):
        assert isinstance(line, dict | LineFault)


@pytest.mark.parametrize("name", ONE_FILE)
def test_an_export_of_nothing_is_a_file_its_readers_take(name):
    form = FORMATS[name]
    stream = io.BytesIO()
    with closing(form.sink(stream)):
        pass
    if form.content_type == "application/json":
        json.loads(stream.getvalue())
    elif form.content_type == "application/x-ndjson":
        assert stream.getvalue() == b""


def test_a_name_that_is_no_format_lists_those_there_are():
    with pytest.raises(BadInput, match=r"known: .*argilla.*ragtruth"):
        format_named("odd", to_write=False)
    with pytest.raises(BadInput, match="cannot read the format 'web-annotation'"):
        format_named("web-annotation", to_write=False)


@pytest.mark.parametrize("name", ["answers", "reviews", "ragas"])
def test_a_file_that_holds_one_list_is_read_as_lines_are(name, convert, tmp_path):
    target, _ = convert(name, [reviewed(), reviewed(id="r-2")])
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    as_list = tmp_path / "list.json"
    as_list.write_text(" \ufeff".strip() + json.dumps(lines, indent=1), encoding="utf-8")
    assert list(imported(name, as_list)) == list(imported(name, target))
