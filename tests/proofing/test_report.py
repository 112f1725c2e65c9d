"""Results print as people read them, and as dictionaries programs may rely on."""

from __future__ import annotations

import json

import pytest

from proofing import Settings, heal, inspect, score


@pytest.fixture(scope="module")
def report():
    sources = [("policy", "Unused goods may be returned within 14 days.")]
    return inspect("", sources, "You may return goods within 41 days.", settings=Settings(tier="fast"))


def test_a_report_prints_its_receipts_and_its_risk(report):
    first, last = str(report).splitlines()[0], str(report).splitlines()[-1]
    assert first == str(report.marks[0])
    assert "41" in first
    assert "policy" in first
    assert last.startswith(f"risk {report.risk} (contradiction), unsupported probability ")
    assert str(report.finding) == first


def test_a_healing_prints_its_text_and_a_score_its_route(report):
    healing = heal(report)
    assert str(healing) == healing.text == "You may return goods within 14 days."
    assert str(score(report.with_(healing=healing))).startswith("score ")


def test_what_a_report_holds_can_be_written_as_json(report):
    assert json.loads(json.dumps(report.to_dict()))["schema"] == "report/1"
