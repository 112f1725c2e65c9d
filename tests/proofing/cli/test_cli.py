"""The command line: what it prints, what it leaves on disk, and with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from proofing import cli
from proofing.batch import Job, Reader
from proofing.exchange.answers import AnswerLine
from proofing.settings import Settings

GUARANTEE = "The frame is guaranteed for 2 years."
WRONG = "The frame is guaranteed for 5 years."


@pytest.fixture
def run(capfd):
    """Run the command in this process; gives (exit code, standard output, standard error)."""

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        return left.value.code, out, err

    return call


@pytest.fixture
def files(tmp_path):
    (tmp_path / "answer.txt").write_text(WRONG)
    (tmp_path / "source.txt").write_text(GUARANTEE)
    return tmp_path


def asked(files):
    return ("--answer", files / "answer.txt", "--source", f"care.md={files / 'source.txt'}", "--tier", "fast")


def answers(path, count, **fields):
    """A file of `count` labelled answers, every other one wrong."""
    with open(path, "w") as stream:
        for n in range(count):
            years = 2 + n % 7 + n % 2
            record = {
                "id": f"a-{n}", "question": "How long?", "answer": f"The frame is guaranteed for {years} years.",
                "sources": [{"id": "care.md", "text": f"Frame {n}. The frame is guaranteed for {2 + n % 7} years."}],
                "label": n % 2, **fields,
            }  # fmt: skip
            stream.write(json.dumps(record) + "\n")
    return path


def test_read_prints_one_receipt_line_per_mark_and_leaves_with_zero(run, files):
    code, out, _ = run("read", *asked(files))
    assert code == 0
    first = out.splitlines()[0]
    assert '"5' in first
    assert '"2' in first
    assert "care.md" in first


def test_read_json_is_the_report(run, files):
    code, out, _ = run("read", *asked(files), "--json", "--id", "a-1", "--question", "How long?")
    report = json.loads(out)
    assert (code, report["schema"], report["id"]) == (0, "report/1", "a-1")
    for mark in report["marks"]:
        assert WRONG[mark["start"] : mark["end"]] == mark["text"]
    assert report["healing"]["text"] == GUARANTEE


def test_heal_prints_the_healed_text_and_the_word_diff(run, files):
    code, out, _ = run("heal", *asked(files))
    healed, _, diff = out.rstrip("\n").partition("\n\n")
    assert (code, healed) == (0, GUARANTEE)
    assert "[-5" in diff
    assert "{+2" in diff


def test_heal_of_a_right_answer_prints_it_alone(run, files):
    (files / "answer.txt").write_text(GUARANTEE)
    assert run("heal", *asked(files))[:2] == (0, GUARANTEE + "\n")


def test_batch_keeps_order_and_ids_and_reports_unusable_lines(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 3)
    with open(path, "a") as stream:
        stream.write('{"id": "broken", "answer": "x"}\nnonsense\n')
    code, _, err = run("batch", path, "--out", tmp_path / "out.jsonl", "--tier", "fast")
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert code == 1
    assert "2 lines" in err
    assert "proofmark: line 4, sources: missing; give a list (it may be empty)\n" in err
    assert "proofmark: line 5: not valid JSON at column 1 (Expecting value)\n" in err
    assert [record["id"] for record in found] == ["a-0", "a-1", "a-2", "broken", None]
    assert [record["error"]["line"] for record in found[3:]] == [4, 5]
    assert found[0]["schema"] == "report/1"


def test_batch_says_which_lines_it_cannot_use_a_few_at_most_and_where_in_them(run, tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": "a", "answer": "x"\n' + "nonsense\n" * 9)
    code, _, err = run("batch", path, "--out", tmp_path / "out.jsonl", "--tier", "fast")
    assert code == 1
    assert "line 1: not valid JSON at column 26" in err
    assert [f"line {n}:" in err for n in (5, 6)] == [True, False]
    assert "10 lines could not be used" in err


def test_batch_says_that_a_file_holds_no_answer(run, tmp_path):
    (tmp_path / "in.jsonl").write_text("")
    code, _, err = run("batch", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--tier", "fast")
    assert code == 0
    assert "there is no answer in" in err


def test_batch_gives_the_same_bytes_for_any_number_of_processes(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 21)
    for jobs in (1, 2):
        assert run("batch", path, "--out", tmp_path / f"{jobs}.jsonl", "--jobs", jobs, "--tier", "fast")[0] == 0
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_batch_never_overwrites_its_input(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 1)
    before = path.read_bytes()
    assert run("batch", path, "--out", path)[0] == 2
    assert path.read_bytes() == before


def test_a_lines_own_locale_wins():
    reader = Reader(Job(Settings(tier="fast", locale="en")))
    assert reader.report(AnswerLine("Das kostet 3 Euro.", (), locale="de")).settings.locale == "de"
    assert reader.report(AnswerLine("That costs 3 euros.", ())).settings.locale == "en"


def test_evaluate_gives_figures_with_intervals(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 40, task="qa")
    code, out, _ = run("evaluate", path, "--tier", "fast", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["all"]["answers"] == 40
    auroc = found["all"]["figures"]["auroc"]
    assert auroc["interval"][0] <= auroc["value"] <= auroc["interval"][1]
    assert "qa" in found["tasks"]
    assert "auroc" in run("evaluate", path, "--tier", "fast")[1]


def test_calibrate_refuses_too_few_labels_with_the_number_missing(run, tmp_path):
    code, _, err = run("calibrate", answers(tmp_path / "in.jsonl", 150, score=0.5))
    assert code == 3
    assert "50 more" in err
    assert err.count("\n") == 1


def test_blank_rows_are_named_and_leave_with_zero(run, tmp_path):
    (tmp_path / "in.csv").write_text("answer,sources\none,s\n,\n\ntwo,s\n")
    code, _, err = run("import", "--format", "csv", tmp_path / "in.csv", tmp_path / "out.jsonl")
    assert (code, err) == (0, "proofmark: 2 blank rows passed over\n")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda rows: rows.pop(), "200 labelled examples are needed, there are 199: 1 more"),
        (lambda rows: [row.update(label=1) for row in rows], "30 supported examples are needed, there are 0: 30 more"),
        (
            lambda rows: [row.update(label=0) for row in rows],
            "30 unsupported examples are needed, there are 0: 30 more",
        ),
        (lambda rows: rows[0].update(score=float("nan")), "1 of 200 scores are not numbers between 0 and 1"),
        (lambda rows: rows[0].update(score=1.01), "1 of 200 scores are not numbers between 0 and 1"),
        (lambda rows: rows[0].update(score=-1), "1 of 200 scores are not numbers between 0 and 1"),
        (lambda rows: rows[0].update(rows[2], group="other"), "1 examples stand on both sides of the split"),
    ],
    ids=["199", "only faulty", "only right", "NaN", "over 1", "under 0", "both sides"],
)
def test_what_calibrate_refuses_is_one_sentence_exit_three_and_no_file(spoil, says, run, tmp_path):
    rows = [
        {"answer": f"{n}", "sources": [f"{n}"], "label": n % 2, "score": n / 200, "group": str(n)} for n in range(200)
    ]
    spoil(rows)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, err = run("calibrate", tmp_path / "in.jsonl", "--out", tmp_path / "point.json")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert says in err
    assert not (tmp_path / "point.json").exists()


def test_calibrate_takes_given_scores_and_stores_the_point(run, tmp_path):
    path = tmp_path / "in.jsonl"
    with open(path, "w") as stream:
        for n in range(240):
            record = {"answer": f"{n}", "sources": [f"{n}"], "label": n % 2, "score": (n % 2) * 0.4 + n / 1000}
            stream.write(json.dumps(record) + "\n")
    code, out, _ = run("calibrate", path, "--target-recall", "0.9", "--out", tmp_path / "point.json")
    assert code == 0
    assert out.index("false-positive rate") < out.index("threshold")
    point = json.loads((tmp_path / "point.json").read_text())
    assert point["recall"]["value"] >= 0.9
    code, out, _ = run("batch", answers(tmp_path / "one.jsonl", 1), "--out", "-", "--tier", "fast",
                       "--point", tmp_path / "point.json")  # fmt: skip
    assert json.loads(out)["calibration"]["threshold"] == point["threshold"]


def test_calibrate_reads_an_exported_set(run, tmp_path):
    from proofing.exchange.reviews import review_line

    with open(tmp_path / "set.jsonl", "w") as stream:
        for n in range(220):
            report = {"id": str(n), "unsupported_probability": (n % 2) * 0.3 + n / 1000}
            decision = {"decision": "reject" if n % 2 else "keep", "reviewer": "r"}
            line = review_line(report, question="", sources=[("s", str(n))], answer=str(n), reviews=[decision])
            stream.write(json.dumps(line) + "\n")
    code, out, _ = run("calibrate", tmp_path / "set.jsonl", "--json")
    assert code == 0
    assert json.loads(out)["labels"] == {"implied": 220}


def test_audit_lists_the_planted_wrong_label_first(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 6)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[3]["label"] = 0
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    code, out, _ = run("audit", path, "--tier", "fast")
    assert code == 0
    assert "a-3" in out.splitlines()[0]


def test_train_says_how_many_labels_are_missing(run, tmp_path):
    code, _, err = run("train", answers(tmp_path / "in.jsonl", 20), "--out", tmp_path / "model.json")
    assert code == 3
    assert "180 more" in err
    assert not (tmp_path / "model.json").exists()


def test_formats_convert_both_ways(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 2)
    assert run("export", "--format", "ragas", path, tmp_path / "ragas.jsonl")[0] == 0
    assert run("import", "--format", "ragas", tmp_path / "ragas.jsonl", tmp_path / "back.jsonl")[0] == 0
    first = json.loads((tmp_path / "back.jsonl").read_text().splitlines()[0])
    assert first["sources"][0]["id"] == "care.md"


def test_import_names_the_fields_that_are_not_read(run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 2, sorces=[], reference="Ragas writes it.")
    code, _, err = run("import", "--format", "answers", path, tmp_path / "out.jsonl")
    assert (code, err) == (0, "proofmark: a field that is not read: sorces in 2 lines (did you mean sources?)\n")


@pytest.mark.parametrize("form", ["ragtruth", "lettucedetect"])
def test_export_says_how_many_rows_the_format_cannot_hold_and_why(form, run, tmp_path):
    path = answers(tmp_path / "in.jsonl", 10)  # every other one is wrong, and nobody says where
    code, _, err = run("export", "--format", form, path, tmp_path / "out")
    assert code == 1
    assert "proofmark: line 2, labels: nobody said which words are unsupported\n" in err
    assert err.endswith("proofmark: 5 of 10 rows left out: nobody said which words are unsupported (5)\n")
    assert run("export", "--format", "ragas", path, tmp_path / "all.jsonl") == (0, "", "")


def test_read_shortens_a_very_long_number_for_people_and_keeps_it_in_json(run, files):
    digits = "7" * 100_000
    (files / "answer.txt").write_text(f"The frame is guaranteed for {digits} years.")
    code, out, _ = run("read", *asked(files))
    assert code == 0
    assert '"7777' in out
    assert max(len(line) for line in out.splitlines()) < 1_000
    assert digits in run("read", *asked(files), "--json")[1]


def test_the_demo_runs(run):
    code, out, _ = run("demo", "--scenario", "1", "--tier", "fast")
    assert code == 0
    assert "14" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["bla"], "bla"),
        (["read"], "--answer"),
        (["read", "--answer", "none.txt"], "none.txt"),
        (["read", "--answer", "answer.txt", "--source", "x"], "ID=FILE"),
        (["read", "--answer", "-", "--source", "a=-"], "standard input"),
        (["read", "--answer", "answer.txt", "--tier", "slow"], "slow"),
        (["read", "--answer", "answer.txt", "--locale", "!"], "--locale"),
        (["read", "--answer", "answer.txt", "--source", "a=source.txt", "--source", "a=source.txt"], "'a'"),
        (["read", "--answer", "bytes.txt"], "UTF-8"),
        (["read", "--answer", "nul.txt"], "NUL"),
        (["read", "--answer", "."], "."),
        (["batch", "none.jsonl", "--out", "x"], "none.jsonl"),
        (["batch", "in.jsonl", "--out", "no/folder"], "no/folder"),
        (["batch", "in.jsonl"], "--out"),
        (["batch", "in.jsonl", "--out", "x", "--jobs", "0"], "--jobs"),
        (["batch", "in.jsonl", "--out", "x", "--model", "in.jsonl"], "in.jsonl"),
        (["batch", "in.jsonl", "--out", "x", "--point", "in.jsonl"], "point"),
        (["evaluate", "empty.jsonl"], "no labelled answer"),
        (["import", "--format", "odd", "in.jsonl", "x"], "known:"),
        (["demo", "--scenario", "9"], "9"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(run, files, monkeypatch, arguments, says):
    monkeypatch.chdir(files)
    (files / "bytes.txt").write_bytes(b"\xff\xfe")
    (files / "nul.txt").write_bytes(b"a\x00b")
    (files / "empty.jsonl").write_text("")
    answers(files / "in.jsonl", 1)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


COMMANDS = ("", "read", "heal", "batch", "evaluate", "calibrate", "train", "audit", "demo", "mcp", "import", "export")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    code, out, _ = run(*command.split(), "--help")
    assert code == 0
    assert "Usage: proofmark" in out


def test_it_reads_from_standard_input_without_django_in_any_locale(tmp_path):
    (tmp_path / "s.txt").write_text("Die Prüfung kostet 12 €.")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DJANGO")} | {"LC_ALL": "C"}
    script = "import sys; from proofing.cli import main; sys.modules['django'] = None; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "read", "--tier", "fast", "--answer", "-", "--source", f"s={tmp_path}/s.txt"],
        input="Die Prüfung kostet 15 €.".encode(), capture_output=True, env=environment, check=False,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert done.returncode == 0
    assert "Die Prüfung kostet 12 €." in done.stdout.decode("utf-8")


@pytest.mark.parametrize("share", ["1.5", "0", "-0.2", "nan", "much"])
def test_a_recall_that_cannot_be_is_refused_before_anything_is_read(share, run, tmp_path):
    code, _, err = run("calibrate", tmp_path / "not-there.jsonl", "--target-recall", share)
    assert (code, err.count("\n")) == (2, 1)
    assert "--target-recall" in err


@pytest.mark.parametrize("command", ["audit", "evaluate"])
def test_a_file_without_labels_is_said_to_have_none(command, run, tmp_path):
    (tmp_path / "none.jsonl").write_text("")
    code, out, err = run(command, tmp_path / "none.jsonl", "--tier", "fast")
    assert (code, out) == (2, "")
    assert "no labelled answer" in err


@pytest.mark.parametrize(("form", "sign"), [("csv", ","), ("tsv", "\t")])
def test_tables_are_converted_too(form, sign, run, tmp_path):
    rows = [["question", "answer", "sources"], ["How long?", "2 years.", '["Two years.", "Or three."]'], ["", "", "x"]]
    rows[1][2] = '"' + rows[1][2].replace('"', '""') + '"'
    (tmp_path / "in").write_text("\n".join(sign.join(row) for row in rows) + "\n")
    code, _, err = run("import", "--format", form, tmp_path / "in", tmp_path / "out.jsonl")
    assert code == 1
    assert "line 3" in err
    (line,) = [json.loads(text) for text in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [source["text"] for source in line["sources"]] == ["Two years.", "Or three."]
