"""A project's documents, the files they came in, and the indexes made of them.

The documents are the truth. An index is worked out from them and lies in a file of DATA_DIR; one that is lost is made
again.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from proofing.exchange.documents import READ_NAMES
from proofing.exchange.unread import UnreadField, UnreadFields


class Upload(models.Model):
    """One uploaded file of documents on its way into a project. `lines_done` is where a killed one goes on."""

    class State(models.TextChoices):
        RECEIVED = "received"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="document_uploads")
    file = models.CharField(max_length=200)  # path below DATA_DIR; "": removed, since it cannot be read
    filename = models.CharField(max_length=255)  # as the uploader named it; shown, never opened
    file_sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    format = models.CharField(max_length=12)
    state = models.CharField(max_length=12, choices=State.choices, default=State.RECEIVED)
    lines_done = models.PositiveIntegerField(default=0)
    bytes_done = models.PositiveBigIntegerField(default=0)  # where the next line begins
    added = models.PositiveIntegerField(default=0)
    replaced = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    unread = models.JSONField(null=True, blank=True)  # fields that nobody reads → in how many lines
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            # Read by corpus.uploads.start_upload: the same file again is the same upload, gone through once more.
            models.UniqueConstraint(fields=["project", "file_sha256", "filename"], name="one_upload_per_file"),
            models.CheckConstraint(
                condition=Q(state__in=["received", "running", "done", "failed", "cancelled"]), name="upload_state_known"
            ),
        ]
        indexes = [
            # Read by corpus.selectors.uploads_of: newest first.
            models.Index(fields=["project", "-created_at"], name="uploads_newest_first"),
            # Read by corpus.services.sweep.
            models.Index(
                fields=["heartbeat_at"], condition=Q(state__in=["received", "running"]), name="uploads_unfinished"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename}: {self.state}"

    @property
    def unfinished(self) -> bool:
        return self.state in (self.State.RECEIVED, self.State.RUNNING)

    @property
    def unread_fields(self) -> list[UnreadField]:
        """Fields that stand in its lines and that nobody reads, the most frequent first."""
        return UnreadFields(READ_NAMES, self.unread).found()

    @property
    def may_go_on(self) -> bool:
        return self.state in (self.State.CANCELLED, self.State.FAILED) and bool(self.file)


class UploadFault(models.Model):
    """Why one line of an uploaded file was left out."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="faults")
    line = models.PositiveIntegerField()
    field = models.CharField(max_length=100, blank=True, default="")
    reason = models.TextField()

    class Meta:
        ordering = ["line"]
        constraints = [
            # Read in order by the upload's page; keeps a resumed upload from saying things twice.
            models.UniqueConstraint(fields=["upload", "line"], name="one_upload_fault_per_line"),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Document(models.Model):
    """One text of the corpus under its key; the same key again replaces it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="documents")
    key = models.CharField(max_length=300)
    title = models.CharField(max_length=500, blank=True, default="")
    url = models.CharField(max_length=2000, blank=True, default="")
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    characters = models.PositiveIntegerField()
    upload = models.ForeignKey(Upload, null=True, blank=True, on_delete=models.SET_NULL, related_name="documents")
    line = models.PositiveIntegerField(null=True, blank=True)  # of the file it came in
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Read by corpus.services.put_document, and in this order by corpus.building.
            models.UniqueConstraint(fields=["project", "key"], name="one_document_per_key"),
        ]
        indexes = [
            # Read by corpus.selectors.documents_page: newest first, keyset.
            models.Index(fields=["project", "-changed_at", "-id"], name="documents_newest_first"),
        ]

    def __str__(self) -> str:
        return self.title or self.key


class IndexBuild(models.Model):
    """One making of a project's index: wanted, under way, over. The newest that is done is in use."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="index_builds")
    state = models.CharField(max_length=12, choices=State.choices, default=State.REQUESTED)
    attempts = models.PositiveSmallIntegerField(default=0)
    version = models.CharField(max_length=64, blank=True, default="")  # SHA-256 of the passages, once they are known
    encoder = models.CharField(max_length=200, blank=True, default="")  # whose vectors it holds; "": none
    documents = models.PositiveIntegerField(default=0)
    passages = models.PositiveIntegerField(default=0)
    phase = models.CharField(max_length=12, blank=True, default="")  # "words", "meaning"
    passages_done = models.PositiveIntegerField(default=0)  # of this phase
    note = models.TextField(blank=True, default="")  # what it could not do
    error = models.TextField(blank=True, default="")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            # Read by corpus.building.request_build: what is wanted already is not asked for twice.
            models.UniqueConstraint(fields=["project"], condition=Q(state="requested"), name="one_build_wanted"),
            # Read by corpus.building.run_build: one at a time.
            models.UniqueConstraint(fields=["project"], condition=Q(state="running"), name="one_build_running"),
            models.CheckConstraint(
                condition=Q(state__in=["requested", "running", "done", "failed", "cancelled"]), name="build_state_known"
            ),
        ]
        indexes = [
            # Read by corpus.indexes.newest and the corpus page.
            models.Index(fields=["project", "state", "-id"], name="builds_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.state} {self.version[:12]}"

    @property
    def unfinished(self) -> bool:
        return self.state in (self.State.REQUESTED, self.State.RUNNING)
