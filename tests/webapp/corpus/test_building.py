"""Indexes: made one at a time, given up and taken over, and only as many files as are needed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.webapp.corpus.conftest import newest
from webapp.corpus import building, indexes
from webapp.corpus.models import IndexBuild
from webapp.corpus.retrieving import retrieval_for


@pytest.fixture
def request_build(project):
    return lambda: building.request_build(project=project, now=timezone.now())


def files(project):
    return sorted(path.name for path in indexes.folder_of(project.pk).glob("*.index"))


def test_what_is_wanted_already_is_not_asked_for_twice(request_build):
    assert request_build() == request_build()
    assert IndexBuild.objects.count() == 1


def test_told_twice_it_is_made_once(project, put, request_build):
    put()
    build = request_build()
    building.run_build(build_id=build.pk)
    building.run_build(build_id=build.pk)
    build.refresh_from_db()
    assert (build.state, build.attempts) == ("done", 1)


def test_one_at_a_time_and_the_next_one_follows(project, put, request_build, workers, monkeypatch):
    put()
    running = request_build()
    make = building._make

    def meanwhile(build):
        monkeypatch.setattr(building, "_make", make)
        wanted = request_build()
        assert wanted != running
        building.run_build(build_id=wanted.pk)  # its message comes while the other one is under way
        wanted.refresh_from_db()
        assert wanted.state == "requested"
        return make(build)

    monkeypatch.setattr(building, "_make", meanwhile)
    with workers():
        building.run_build(build_id=running.pk)
    assert list(IndexBuild.objects.order_by("pk").values_list("state", flat=True)) == ["done"] * 3


def test_a_cancelled_build_stops_and_leaves_the_index_before_it_in_use(project, put, request_build, monkeypatch):
    put()
    before = newest(project)
    build = request_build()
    monkeypatch.setattr(building, "BEAT", 0.0)
    write = building.write_index

    def cancelled(*args, **options):
        building.cancel_build(build=build, actor=None, now=timezone.now())
        return write(*args, **options)

    monkeypatch.setattr(building, "write_index", cancelled)
    building.run_build(build_id=build.pk)
    build.refresh_from_db()
    assert build.state == "cancelled"
    assert newest(project) == before
    assert retrieval_for(project, "", "tulips").version == before.version


def test_a_build_whose_worker_died_is_made_by_another_one(project, put, request_build, workers):
    put()
    build = request_build()
    IndexBuild.objects.filter(pk=build.pk).update(state="running", attempts=1)
    with workers():
        assert building.sweep(now=timezone.now() + timedelta(hours=1)) == 1
    build.refresh_from_db()
    assert (build.state, build.attempts) == ("done", 2)


def test_one_that_kills_its_workers_is_given_up(request_build):
    build = request_build()
    IndexBuild.objects.filter(pk=build.pk).update(state="running", attempts=building.ATTEMPTS)
    building.sweep(now=timezone.now() + timedelta(hours=1))
    build.refresh_from_db()
    assert build.state == "failed"
    assert "you can try again" in build.error


def test_a_message_that_was_lost_is_sent_again(project, put, request_build, workers):
    put()
    build = request_build()
    with workers():
        assert building.sweep(now=timezone.now()) == 0
        assert building.sweep(now=timezone.now() + timedelta(hours=1)) == 1
    build.refresh_from_db()
    assert build.state == "done"


def test_the_newest_two_files_are_kept(project, put):
    for n in range(4):
        put({"a": f"Text {n}."})
    kept = IndexBuild.objects.order_by("-pk")[:2]
    assert files(project) == sorted(indexes.path_of(build).name for build in kept)


def test_a_process_opens_a_file_once_and_keeps_only_some_open(project, put, monkeypatch):
    put()
    build = newest(project)
    assert indexes.opened(build) is indexes.opened(build)
    monkeypatch.setattr(indexes, "KEPT_OPEN", 1)
    first = indexes.opened(build)
    put({"a": "Another text."})
    indexes.opened(newest(project))
    assert len(indexes._open) == 1
    assert first.retrieve("tulips")  # whoever searches in it still can
