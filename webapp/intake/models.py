"""How answers come in: files that are read line by line, and API requests that may be sent twice."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from proofing.exchange.answers import READ_NAMES
from proofing.exchange.unread import UnreadField, UnreadFields


class ImportBatch(models.Model):
    """One uploaded file on its way into a project. `lines_done` is where a killed import goes on."""

    class State(models.TextChoices):
        RECEIVED = "received"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="imports")
    queue = models.ForeignKey("review.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    file = models.CharField(max_length=200)  # path below DATA_DIR
    filename = models.CharField(max_length=255)  # as the uploader named it; shown, never opened
    file_sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(default=0)
    format = models.CharField(max_length=24)
    mapping = models.JSONField(default=dict, blank=True)  # column → field, for CSV
    state = models.CharField(max_length=12, choices=State.choices, default=State.RECEIVED)
    lines_total = models.PositiveIntegerField(null=True, blank=True)
    lines_done = models.PositiveIntegerField(default=0)
    bytes_done = models.PositiveBigIntegerField(default=0)  # of the unpacked file; 0: count the lines instead
    imported = models.PositiveIntegerField(default=0)
    repeated = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    blank = models.PositiveIntegerField(default=0, db_default=0)  # rows of a table in which no cell holds anything
    unread = models.JSONField(null=True, blank=True)  # fields that nobody reads → in how many lines
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            # Read by intake.services.start_import: the same file again is the same import.
            models.UniqueConstraint(fields=["project", "file_sha256"], name="one_import_per_file"),
            models.CheckConstraint(
                condition=Q(state__in=["received", "running", "done", "failed", "cancelled"]), name="import_state_known"
            ),
        ]
        indexes = [
            # Read by intake.selectors.imports_of: newest first.
            models.Index(fields=["project", "-created_at"], name="imports_newest_first"),
            # Read by intake.services.requeue_stale.
            models.Index(
                fields=["heartbeat_at"], condition=Q(state__in=["received", "running"]), name="imports_unfinished"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename}: {self.state}"

    @property
    def unread_fields(self) -> list[UnreadField]:
        """Fields that stand in its lines and that nobody reads, the most frequent first."""
        return UnreadFields(READ_NAMES, self.unread).found()


class ImportFault(models.Model):
    """Why one line of a file was left out."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="faults")
    line = models.PositiveIntegerField()
    field = models.CharField(max_length=100, blank=True, default="")
    reason = models.TextField()

    class Meta:
        ordering = ["line"]
        constraints = [
            # Read in order by the import's page and its fault file; keeps a resumed import from saying things twice.
            models.UniqueConstraint(fields=["batch", "line"], name="one_fault_per_line"),
        ]

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Rereading(models.Model):
    """A known answer that waits to be read once more by the engine as it is now; gone when that is done."""

    answer = models.OneToOneField("records.Answer", on_delete=models.CASCADE, related_name="rereading")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(db_index=True)  # read by intake.again.resend

    def __str__(self) -> str:
        return str(self.answer_id)


class ApiRequest(models.Model):
    """A finished API request that carried an Idempotency-Key: sent again, it gets the same response."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    operation = models.CharField(max_length=100)  # method and path
    body_sha256 = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # null while the first one still runs
    response = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Read by intake.idempotency at every request with a key.
            models.UniqueConstraint(fields=["project", "key"], name="one_response_per_key"),
        ]
        indexes = [
            # Read by intake.services.forget_old_requests.
            models.Index(fields=["created_at"], name="api_requests_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.key}"
