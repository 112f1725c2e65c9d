"""`proofmark judges` and `proofmark audit --judges` over a real endpoint."""

from __future__ import annotations

import json

import pytest

from proofing.cli import _run
from tests.proofing.judges.conftest import SOURCE
from tests.proofing.judges.loopback import Said, verdict


def right(asked, before):
    wrong = "14 days" not in asked.answer and "5 days" not in asked.answer
    return verdict(wrong, "The source says 14 days." if wrong else "", ("41 days",) if wrong else ())


@pytest.fixture
def files(tmp_path, loopback):
    """A judges' file with two good judges, and a file of answers whose third label is wrong."""
    loopback.models.update(one=right, two=right)
    rows = "".join(f'[[judge]]\nname = "{n}"\nbase_url = "{loopback.url}"\nmodel = "{n}"\n' for n in ("one", "two"))
    (tmp_path / "judges.toml").write_text(rows, encoding="utf-8")
    answers = [
        ("You have 14 days.", 0),
        ("You have 41 days.", 1),
        ("Refunds take 5 days.", 1),
        ("You have 41 days.", 0),
    ]
    lines = [
        {"id": f"a{i}", "question": "How long?", "answer": answer, "sources": [SOURCE], "label": label}
        for i, (answer, label) in enumerate(answers)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def run(capsys, *arguments):
    code = _run([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_list_shows_who_is_asked_where_and_sends_nothing(files, capsys, loopback, monkeypatch):
    more = '[[judge]]\nname = "far"\nbase_url = "http://models.example.org/v1"\nmodel = "m"\nkey_env = "FAR_KEY"\n'
    (files / "judges.toml").write_text((files / "judges.toml").read_text() + more)
    monkeypatch.delenv("FAR_KEY", raising=False)
    code, out, _ = run(capsys, "judges", "list", files / "judges.toml")
    assert code == 0
    assert f"one: one at {loopback.url[7:-3]}, this machine, no key" in out
    assert "far: m at models.example.org, NOT encrypted, key in FAR_KEY (not set)" in out
    assert loopback.asked == []


def test_ask_writes_votes_consensus_and_named_words_in_order(files, capsys, loopback):
    out = files / "votes.jsonl"
    command = ["judges", "ask", files / "in.jsonl", "--judges", files / "judges.toml", "--out", out]
    code, _, err = run(capsys, *command, "--votes", files / "votes.sqlite3")
    assert code == 0
    assert "questions, sources and answers are sent to one at 127.0.0.1" in err
    assert "one: 4 of 4 votes valid" in err
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(line["id"], line["consensus"]["share"]) for line in lines] == [
        ("a0", 0.0), ("a1", 1.0), ("a2", 0.0), ("a3", 1.0),
    ]  # fmt: skip
    named = lines[1]["named"][0]
    assert (named["text"], named["start"], named["said"][0]) == ("41 days", 9, ["one", "The source says 14 days."])
    asked = len(loopback.asked)
    run(capsys, *command, "--votes", files / "votes.sqlite3")
    assert len(loopback.asked) == asked


def test_a_line_that_cannot_be_used_keeps_its_place(files, capsys):
    with (files / "in.jsonl").open("a") as stream:
        stream.write('{"id": "bad", "answer": 3}\n')
    code, out, err = run(capsys, "judges", "ask", files / "in.jsonl", "--judges", files / "judges.toml", "--out", "-")
    assert code == 1
    assert "1 line could not be used" in err
    assert json.loads(out.splitlines()[-1])["error"]["line"] == 5


def test_audit_lists_what_all_judges_deny_with_their_reasons(files, capsys):
    code, out, _ = run(
        capsys, "audit", files / "in.jsonl", "--tier", "fast", "--judges", files / "judges.toml", "--json"
    )
    assert code == 0
    found = {row["id"]: row for row in map(json.loads, out.splitlines())}
    assert set(found) == {"a2", "a3"}
    assert found["a3"]["by"] == "both"
    assert found["a3"]["reasons"] == [{"judge": n, "reason": "The source says 14 days."} for n in ("one", "two")]
    assert found["a2"]["votes"] == {"valid": 2, "unsupported": 0}
    code, out, _ = run(capsys, "audit", files / "in.jsonl", "--tier", "fast", "--judges", files / "judges.toml")
    assert "2 of 2 judges deny it\n         one: The source says 14 days." in out


def test_audit_without_judges_sends_nothing_and_says_what_it_said_before(files, capsys, loopback):
    code, out, err = run(capsys, "audit", files / "in.jsonl", "--tier", "fast", "--json")
    assert (code, err, loopback.asked) == (0, "", [])
    assert all(
        set(json.loads(line)) == {"id", "line", "label", "unsupported_probability", "surprise", "weakest"}
        for line in out.splitlines()
    )


def test_sanity_shows_a_table_and_advice(files, capsys, loopback):
    loopback.models.update(one=lambda a, b: verdict(True), two=lambda a, b: Said(status=401))
    code, out, _ = run(capsys, "judges", "sanity", files / "judges.toml")
    assert code == 1  # one of them could not be asked at all
    assert "drop one: it calls nearly every answer unsupported" in out
    assert "drop two: too many of its votes failed or were unusable" in out
    code, out, _ = run(capsys, "judges", "sanity", files / "judges.toml", "--only", "one", "--json")
    assert (code, json.loads(out)["judges"][0]["yes_rate"]) == (0, 1.0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["judges", "list", "none.toml"],
        ["judges", "sanity", "judges.toml", "--only", "nobody"],
        ["judges", "ask", "none.jsonl", "--judges", "judges.toml", "--out", "x.jsonl"],
        ["judges", "ask", "in.jsonl", "--judges", "judges.toml", "--out", "in.jsonl"],
        ["audit", "in.jsonl", "--judges", "none.toml"],
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(files, capsys, monkeypatch, arguments):
    monkeypatch.chdir(files)
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.count("\n") == 1 + ("are sent to" in err)
    assert not (files / "x.jsonl").exists()
