"""Tables: what a spreadsheet may not take for a formula, which column is which, and what is no UTF-8."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from proofing.errors import BadInput
from proofing.exchange.cells import plain_cell, safe_cell
from proofing.exchange.formats import FORMATS
from proofing.exchange.jsonl import BEGINNING, BlankRow, LineFault
from proofing.exchange.rows import row_of_record
from proofing.exchange.sinks import closing
from proofing.exchange.tables import DELIMITERS, preview, scan_table
from proofing.exchange.workbooks import scan_workbook
from tests.proofing.exchange.samples import ASTRAL, LABELLED, RTL

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "=cmd|' /C calc'!A0", "-", "'=1", "''+1"]
HARMLESS = ["it's", "'tis", "1-1", "a=b", "", " =1", "«-»", "😀="]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_cell_that_would_be_a_formula_is_made_harmless_and_comes_back(text):
    assert safe_cell(text).startswith("'")
    assert plain_cell(safe_cell(text)) == text


@pytest.mark.parametrize("text", HARMLESS)
def test_other_cells_stay_as_they_are(text):
    assert safe_cell(text) == text == plain_cell(text)


def written(name, records):
    stream = io.BytesIO()
    with closing(FORMATS[name].sink(stream)) as sink:
        for record in records:
            sink.add(row_of_record(record))
    return stream.getvalue()


@pytest.mark.parametrize(("name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_no_cell_of_a_table_begins_like_a_formula(name, delimiter):
    hostile = [{**LABELLED[0], **dict.fromkeys(("id", "question", "model", "task", "external_id"), text)}
               for text in FORMULAS]  # fmt: skip
    text = written(name, hostile).decode("utf-8")
    for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")]


def test_no_cell_of_a_workbook_is_a_formula():
    from openpyxl import load_workbook

    content = written("xlsx", [{**LABELLED[0], "question": text} for text in FORMULAS])
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    kinds = {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert kinds <= {"s", "n", "inlineStr"}
    assert not [c for row in sheet.iter_rows() for c in row if str(c.value)[:1] in ("=", "+", "@")]


def test_a_workbook_takes_no_text_that_is_longer_than_a_cell():
    with pytest.raises(LineFault, match="32767 characters"):
        written("xlsx", [{**LABELLED[0], "question": "a" * 40_000}])


def test_a_workbook_that_somebody_typed_is_read(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.append(["Question", "Answer", "Source", "Label", None])
    sheet.append(["How many?", 14, "It is 14.", 0.0, None])
    sheet.append([None, None, None, None])
    sheet.append(["When?", ASTRAL, "In 1931.", True])
    book.save(tmp_path / "typed.xlsx")
    first, blank, second = scan_workbook(tmp_path / "typed.xlsx")
    assert (first[0], first[1].answer, first[1].label) == (2, "14", 0)
    assert (blank[0], type(blank[1])) == (3, BlankRow)
    assert (second[0], second[1].answer, second[1].label) == (4, ASTRAL, 1)


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"", b"no workbook", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_workbook_is_said_to_be_none(tmp_path, content):
    path = tmp_path / "x.xlsx"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="workbook"):
        list(scan_workbook(path))


# Reading ---------------------------------------------------------------------------------------------------------


def table(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "in.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def read(path, **options):
    return [item for _, item, _ in scan_table(path, ",", **options)]


def test_an_unsettled_disagreement_carries_no_text_of_one_reviewer():
    from proofing.exchange.reviews import review_line

    decisions = [{"decision": "keep", "reviewer": "a", "final": "It is 14."},
                 {"decision": "accept_edited", "reviewer": "b", "final": "It is 15."}]  # fmt: skip
    report = {"id": "1", "unsupported_probability": 0.5}
    line = review_line(report, question="", sources=[("s", "It is 15.")], answer="It is 14.", reviews=decisions)
    row = row_of_record(line)
    assert (row.line.label, row.taken, row.last_decision) == (None, None, None)
    settled = row_of_record({**line, "gold": {"answer": 1, "labels": []}})
    assert (settled.line.label, settled.taken, settled.last_decision) == (1, "It is 15.", "accept_edited")


@pytest.mark.parametrize("blank", ["", ",,", '"","",', "\n"])
def test_blank_rows_are_counted_and_are_nobodys_fault(blank, tmp_path):
    path = table(tmp_path, f"answer,sources,id\none,s,1\n{blank}\ntwo,s,2\n")
    found = read(path)
    assert [item.answer for item in found if not isinstance(item, LineFault)] == ["one", "two"]
    assert {type(item) for item in found if isinstance(item, LineFault)} == {BlankRow}


def test_columns_are_named_by_the_reader(tmp_path):
    path = table(tmp_path, "Kunde,Bot reply,Beleg\nWann?,Um 9.,Um 8.\n")
    with pytest.raises(BadInput, match="no column for the answer"):
        read(path)
    (line,) = read(path, mapping={"question": "Kunde", "answer": "Bot reply", "sources": "Beleg"})
    assert (line.question, line.answer, line.sources[0].text) == ("Wann?", "Um 9.", "Um 8.")


@pytest.mark.parametrize(
    ("mapping", "words"),
    [({"answer": "x", "sources": "b"}, "no column is called 'x'"), ({"colour": "a"}, "no field is called 'colour'"),
     ({"answer": "a"}, "no column for the sources")],
)  # fmt: skip
def test_a_mapping_that_does_not_fit_is_said_not_to(tmp_path, mapping, words):
    with pytest.raises(BadInput, match=words):
        read(table(tmp_path, "a,b\n1,2\n"), mapping=mapping)


def test_a_table_is_shown_before_it_is_read(tmp_path):
    path = table(tmp_path, '\ufeffFrage,response,contexts\nWann?,Um 9.,"a\nb"\n,,\nx,y,z\n')
    header, rows, known = preview(path, ",", rows=2)
    assert header == ["Frage", "response", "contexts"]
    assert rows == [["Wann?", "Um 9.", "a\nb"]]
    assert known == {"answer": "response", "sources": "contexts"}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_lines_end_as_they_will_and_numbers_are_those_of_an_editor(tmp_path, ending, mark):
    text = mark + ending.join(["answer,sources", '"one', f'{RTL}",s', "two,s", "three,s", ""])
    path = table(tmp_path, text)
    found = list(scan_table(path, ","))
    assert [number for number, _, _ in found] == [3, 4, 5]
    assert found[0][1].answer == f"one{ending}{RTL}"
    assert found[-1][2] == len(text.encode("utf-8"))


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("cp1252", "Windows-1252"), ("latin-1", "ISO 8859-1"), ("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"),
     ("utf-32", "UTF-32"), ("shift_jis", "Shift JIS"), ("cp1251", "Windows-1251")],
)  # fmt: skip
def test_another_encoding_is_named(tmp_path, encoding, named):
    words = {"shift_jis": "資料は日本語で書かれる", "cp1251": "Ответ готов сегодня", "latin-1": "El año pasado"}.get(
        encoding, "El año pasado – 5 €"
    )
    path = table(tmp_path, f"answer,sources\n{words},{words}\n".encode(encoding))
    with pytest.raises(BadInput, match=f"{named}.*save it as UTF-8"):
        read(path)
    lines = tmp_path / "in.jsonl"
    lines.write_bytes(json.dumps({"answer": words, "sources": []}, ensure_ascii=False).encode(encoding))
    try:
        (_, fault, _) = next(iter(FORMATS["answers"].scan(lines, None, BEGINNING)))
    except BadInput as error:
        fault = error
    assert named in str(fault)
    assert "as UTF-8" in str(fault)


def test_a_span_that_does_not_read_as_its_text_is_a_fault_of_its_row(tmp_path):
    path = table(
        tmp_path, 'answer,sources,labels\nOne two,s,"[{""start"":0,""end"":3,""text"":""two""}]"\nx,y,nonsense\n'
    )
    first, second = read(path)
    assert (first.field, second.field) == ("labels[0]", "labels")


@pytest.mark.parametrize(("name", "sign"), [("csv", ";"), ("csv", "\t"), ("tsv", ";"), ("tsv", ",")])
def test_a_table_with_other_separators_is_read_by_its_first_row(name, sign, tmp_path):
    path = tmp_path / f"answers.{name}"
    rows = [["question", "answer", "sources"], ["How much?", "It costs 3, or 4; no more.", "It costs 3."]]
    path.write_text("\n".join(sign.join(f'"{cell}"' for cell in row) for row in rows))
    header, first, suggested = preview(path, DELIMITERS[name])
    assert (header, first, set(suggested)) == (rows[0], rows[1:], set(rows[0]))
    (found,) = (line for _, line, _ in scan_table(path, DELIMITERS[name]))
    assert (found.answer, found.sources[0].text) == ("It costs 3, or 4; no more.", "It costs 3.")
