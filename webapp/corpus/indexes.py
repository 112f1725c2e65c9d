"""Indexes as the processes use them: each opens a file once, keeps a few open, and holds none in memory."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from pathlib import Path

from django.conf import settings

from proofing.corpus_index import StoredCorpus, open_index, vectors_of
from webapp.corpus.models import IndexBuild

#: Indexes a process keeps open; an open one costs a few megabytes, whatever its size.
KEPT_OPEN = 8

_open: OrderedDict[Path, StoredCorpus] = OrderedDict()
_owner = os.getpid()
_lock = threading.Lock()


def folder_of(project_id: int) -> Path:
    """Where a project's indexes lie."""
    return Path(settings.CORPORA_DIR) / str(project_id)


def path_of(build: IndexBuild) -> Path:
    """Where the index of a build lies; no two builds share a file, so a file that has its name never changes."""
    return folder_of(build.project_id) / f"{build.pk}-{build.created_at:%Y%m%d%H%M%S%f}.index"


def opened(build: IndexBuild) -> StoredCorpus:
    """The index of a finished build.

    Raises:
        BadInput: its file is missing or damaged.
    """
    global _owner
    path = path_of(build)
    with _lock:
        if _owner != os.getpid():  # a forked worker must not share its parent's connections
            _open.clear()
            _owner = os.getpid()
        if path in _open and path.exists():
            _open.move_to_end(path)
            return _open[path]
        _open.pop(path, None)
        corpus = open_index(path)
        _open[path] = corpus
        # One that falls out is closed when nobody searches in it any more.
        while len(_open) > KEPT_OPEN:
            _open.popitem(last=False)
        return corpus


def forget_files(build: IndexBuild, *, keep: int = 1) -> None:
    """Remove the files of older builds but the newest `keep` that are done: a worker may be about to open them."""
    older = IndexBuild.objects.filter(project=build.project_id, pk__lt=build.pk)
    kept = list(older.filter(state=IndexBuild.State.DONE).order_by("-pk")[:keep])
    for row in older.exclude(pk__in=[one.pk for one in kept]).order_by("-pk")[:20]:
        path = path_of(row)
        path.unlink(missing_ok=True)
        vectors_of(path).unlink(missing_ok=True)
