"""What an answer that came without sources is read against."""

from __future__ import annotations

import logging

from django.conf import settings
from django.utils import timezone

from proofing.encoder import NoEncoder
from proofing.errors import BadInput
from proofing.retrieval import Retrieval
from webapp.corpus import building, indexes
from webapp.corpus.models import IndexBuild
from webapp.records.models import Project

logger = logging.getLogger(__name__)

State = IndexBuild.State


class NotReady(Exception):
    """The project has documents, and their first index is still being made: ask again soon."""


def retrieval_for(project: Project, question: str, answer: str) -> Retrieval | None:
    """The passages of the project's corpus that are nearest; None where there is no corpus.

    Where the index holds no sentence vectors, or there is no encoder here, they are found by their words.

    Raises:
        NotReady: there will be a corpus soon.
    """
    build = newest(project)
    if build is None or (build.state == State.DONE and not build.passages):
        return None
    if build.state != State.DONE:
        raise NotReady
    try:
        corpus = indexes.opened(build)
    except BadInput as error:  # lost with a disk, or not in the backup: it is made again from the documents
        logger.warning("the index of project %s is made again: %s", project.pk, error)
        building.request_build(project=project, now=timezone.now())
        raise NotReady from error
    method = project.corpus_method if build.encoder else "tfidf"
    try:
        return corpus.search(question, answer, k=project.corpus_k, how=method, encoder=settings.ENCODER)
    except NoEncoder as error:
        logger.warning("searching the corpus of project %s by words: %s", project.pk, error)
        return corpus.search(question, answer, k=project.corpus_k)


def newest(project: Project) -> IndexBuild | None:
    """The newest index that is done; where there is none, the build that will give the first one. One query."""
    known = [State.DONE, State.REQUESTED, State.RUNNING]
    builds = list(IndexBuild.objects.filter(project=project, state__in=known).order_by("-pk")[:4])
    return next((build for build in builds if build.state == State.DONE), builds[0] if builds else None)
