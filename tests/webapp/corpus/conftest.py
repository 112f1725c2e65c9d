"""A project with documents, and what fills it."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from proofing.exchange.documents import DocumentLine
from webapp.corpus import indexes, services, uploads
from webapp.corpus.models import IndexBuild

RETURNS = "Unused articles may be returned within 14 days of delivery. Keep the receipt."
DOCUMENTS = {
    "returns.md": RETURNS,
    "shipping.md": "Parcels leave our warehouse on Tuesdays. Delivery takes 3 working days.",
    "garden.md": "Tulips are planted in autumn. They flower in spring.",
}


def line(key, text, title="", url=""):
    return DocumentLine(key, text, title or key.upper(), url)


@pytest.fixture
def put(project, workers):
    """Puts documents in, and has the index made."""

    def run(documents=None, *, into=None, actor=None):
        lines = [line(key, text) for key, text in (DOCUMENTS if documents is None else documents).items()]
        with workers():
            return services.put_documents(project=into or project, lines=lines, actor=actor, now=timezone.now())

    return run


@pytest.fixture
def upload(project, workers):
    """Uploads a file and has its documents read and indexed."""

    def run(content, filename="documents.jsonl", *, work=True, **options):
        raw = content if isinstance(content, bytes) else content.encode()
        options = {"project": project, "now": timezone.now(), **options}
        if not work:
            return uploads.start_upload(chunks=[raw], filename=filename, **options)
        with workers():
            found = uploads.start_upload(chunks=[raw], filename=filename, **options)
        found.refresh_from_db()
        return found

    return run


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path):
    settings.CORPORA_DIR = tmp_path / "corpora"
    indexes._open.clear()


def jsonl(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def newest(project, state="done"):
    return IndexBuild.objects.filter(project=project, state=state).order_by("-pk").first()
