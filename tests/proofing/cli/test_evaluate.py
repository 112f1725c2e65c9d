"""`proofmark evaluate` against a second computation: scikit-learn on the reports that `proofmark batch` writes."""

import json

import pytest

from proofing import cli

metrics = pytest.importorskip("sklearn.metrics")
TIER = ("--tier", "fast")


def line(n):
    """One short answer on a guarantee; some labels are wrong on purpose and some answers are alike, so scores tie."""
    years = 2 + n % 4 + (n % 3 == 0)
    answer = f"The frame is guaranteed for {years} years{' against rust by the painter' if n % 5 == 0 else ''}."
    label = int(n % 3 == 0 or n % 5 == 0) if n % 7 else 1
    at = answer.index(str(years))
    return {
        "id": f"a-{n}", "question": "How long?", "answer": answer, "task": ("qa", "letters")[n % 2], "label": label,
        "sources": [{"id": "care", "text": f"Note {n}. The frame is guaranteed for {2 + n % 4} years."}],
        "labels": [{"start": at, "end": len(answer) - 1}] if label else [],
    }  # fmt: skip


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """The lines, the reports that `batch` wrote of them, and the figures of `evaluate`."""
    folder = tmp_path_factory.mktemp("evaluated")
    lines = [line(n) for n in range(36)]
    (folder / "in.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))

    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            cli.main([str(argument) for argument in arguments])
        assert left.value.code == 0

    run("batch", folder / "in.jsonl", "--out", folder / "out.jsonl", *TIER)
    reports = [json.loads(one) for one in (folder / "out.jsonl").read_text().splitlines()]
    with pytest.MonkeyPatch.context() as patch:
        printed = []
        patch.setattr("click.echo", lambda text="", **_: printed.append(text))
        run("evaluate", folder / "in.jsonl", "--json", *TIER)
    return lines, reports, json.loads(printed[0])


def second_computation(lines, reports):
    """The same figures from their definitions, by other code."""
    labels = [one["label"] for one in lines]
    scores = [report["unsupported_probability"] for report in reports]
    flagged = [report["above_cut"] for report in reports]
    precisions, recalls, _ = metrics.precision_recall_curve(labels, scores)
    rates, found, _ = metrics.roc_curve(labels, scores, drop_intermediate=False)
    bins = [[i for i, score in enumerate(scores) if low <= score * 10 < low + 1] for low in range(10)]
    off = [abs(sum(labels[i] - scores[i] for i in held)) for held in bins]
    marked = [
        {i for mark in report["marks"] for i in range(mark["start"], mark["end"])} for report in reports
    ]  # fmt: skip
    wanted = [{i for span in one["labels"] for i in range(span["start"], span["end"])} for one in lines]
    both = sum(len(a & b) for a, b in zip(marked, wanted, strict=True))
    shares = both / sum(map(len, marked)), both / sum(map(len, wanted))
    return {
        "auroc": metrics.roc_auc_score(labels, scores),
        "f1": metrics.f1_score(labels, flagged),
        "best_f1": max(2 * p * r / (p + r) for p, r in zip(precisions, recalls, strict=True) if p + r),
        "precision": metrics.precision_score(labels, flagged),
        "recall": metrics.recall_score(labels, flagged),
        "fpr_at_95_recall": min(rate for rate, recall in zip(rates, found, strict=True) if recall >= 0.95),
        "expected_calibration_error": sum(off) / len(labels),
        "span_precision": shares[0],
        "span_recall": shares[1],
        "span_f1": 2 * shares[0] * shares[1] / sum(shares),
    }


@pytest.mark.parametrize("part", ["all", "qa", "letters"])
def test_figures_are_those_of_a_second_computation(evaluated, part):
    lines, reports, found = evaluated
    rows = [i for i, one in enumerate(lines) if part in ("all", one["task"])]
    expected = second_computation([lines[i] for i in rows], [reports[i] for i in rows])
    own = (found["all"] if part == "all" else found["tasks"][part])["figures"]
    assert {name: own[name]["value"] for name in expected} == pytest.approx(expected, abs=1e-6)
    assert 0.5 < expected["auroc"] < 1.0  # the lines are made so that no figure is one by itself
    assert found["cut"] == reports[0]["engine"]["cut"]
    assert all(own[name]["interval"][0] <= own[name]["value"] <= own[name]["interval"][1] for name in expected)
