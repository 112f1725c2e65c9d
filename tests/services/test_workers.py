"""Two real workers on PostgreSQL and Redis, one of them killed in the middle: every answer goes through once."""

from __future__ import annotations

import pytest

from tests.services.stage import kill, nothing_lost_nothing_doubled, write_answers

pytestmark = pytest.mark.slow

COUNT = 1000


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(stage, tmp_path):
    path = write_answers(tmp_path / "answers.jsonl", COUNT)
    victim, _survivor = stage.worker("first"), stage.worker("second")
    stage.reaper()
    assert stage.import_file(path)["fresh"]
    stage.wait_for(lambda seen: seen["proofread"] >= COUNT // 5, seconds=240)
    kill(victim)
    assert stage.numbers()["proofread"] < COUNT, "the worker was killed too late to show anything"
    stage.wait_for(lambda seen: seen["proofread"] == COUNT and seen["imports done"] == 1, seconds=600)
    assert stage.numbers() == nothing_lost_nothing_doubled(COUNT)


def test_the_same_file_again_adds_nothing(stage, tmp_path):
    path = write_answers(tmp_path / "answers.jsonl", 40)
    stage.worker("only")
    first = stage.import_file(path)
    stage.wait_for(lambda seen: seen["proofread"] == 40 and seen["imports done"] == 1, seconds=60)
    again = stage.import_file(path)
    assert again == {"id": first["id"], "fresh": False}
    assert stage.numbers() == nothing_lost_nothing_doubled(40)


def test_an_import_killed_half_way_goes_on_where_it_stood(stage, tmp_path):
    count = 400
    path = write_answers(tmp_path / "answers.jsonl", count)
    victim = stage.worker("first")
    stage.import_file(path)
    stage.wait_for(lambda seen: 0 < seen["answers"] < count, seconds=60)
    kill(victim)
    assert 0 < stage.numbers()["answers"] < count, "the worker was killed too late to show anything"
    stage.worker("second")
    stage.reaper()
    stage.wait_for(lambda seen: seen["proofread"] == count and seen["imports done"] == 1, seconds=600)
    assert stage.numbers() == nothing_lost_nothing_doubled(count)
