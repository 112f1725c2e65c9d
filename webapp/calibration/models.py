"""What is learned from decisions: labelled sets, calibration runs, operating points, exports."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.calibration.refit_models import AnswerInput, FittedModel, ModelChoice, Refit

__all__ = [
    "LEVELS",
    "AnswerInput",
    "CalibrationRun",
    "Export",
    "FittedModel",
    "LabelledRow",
    "LabelledSet",
    "ModelChoice",
    "OperatingPoint",
    "Refit",
]

LEVELS = [("answer", "answer"), ("mark", "mark")]


class LabelledSet(models.Model):
    """A named selection of labels, frozen with its hash: later decisions do not change it."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        FROZEN = "frozen"
        FAILED = "failed"

    UNFINISHED = (State.REQUESTED, State.RUNNING)

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="labelled_sets")
    name = models.CharField(max_length=100)
    filters = models.JSONField(default=dict, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    frozen_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=12, choices=State.choices, default=State.FROZEN, db_default="frozen")
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, default="", db_default="")
    rows = models.PositiveIntegerField(default=0)  # rows with an answer label
    positives = models.PositiveIntegerField(default=0)  # of these, faulty answers
    explicit = models.PositiveIntegerField(default=0)  # of these, with at least one explicit verdict
    contents = models.JSONField(null=True, blank=True)  # counts by source, queue and so on (calibration.contents)
    inputs = models.JSONField(null=True, blank=True)  # what the project's answers were like then (calibration.inputs)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="one_labelled_set_per_name"),
            models.CheckConstraint(
                condition=Q(frozen_at__isnull=True) | ~Q(sha256=""), name="frozen_sets_carry_their_hash"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LabelledRow(models.Model):
    """One decision as it stood when the set was frozen, as a `reviews/1` line."""

    class Split(models.TextChoices):
        TRAIN = "train"
        TEST = "test"

    labelled_set = models.ForeignKey(LabelledSet, on_delete=models.CASCADE, related_name="members")
    decision = models.ForeignKey("review.Decision", on_delete=models.PROTECT, related_name="+")
    answer = models.ForeignKey("records.Answer", on_delete=models.PROTECT, related_name="labelled_rows")
    split = models.CharField(max_length=8, choices=Split.choices)
    label = models.SmallIntegerField(null=True, blank=True)  # null: marks only
    score = models.FloatField()  # unsupported_probability of the inspection decided on
    line = models.JSONField()
    newest = models.BooleanField(default=True, db_default=True)  # of the answer's rows in this set, the last

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["labelled_set", "decision"], name="one_row_per_decision"),
            models.CheckConstraint(condition=Q(label__isnull=True) | Q(label__in=[0, 1]), name="label_is_0_or_1"),
        ]
        indexes = [
            # Read by calibration.contents.compare: what one set says of an answer of another.
            models.Index(
                fields=["labelled_set", "answer", "label"], condition=Q(newest=True), name="labelled_rows_by_answer"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}: {self.label}"


class CalibrationRun(models.Model):
    """One try to fit an operating point; its result or why it was refused."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"
        REFUSED = "refused"
        FAILED = "failed"

    labelled_set = models.ForeignKey(LabelledSet, on_delete=models.CASCADE, related_name="runs")
    #: Whose scores are calibrated; None: those the answers had when they were decided on.
    model = models.ForeignKey(
        "calibration.FittedModel", null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    target_recall = models.FloatField(default=0.95)
    level = models.CharField(max_length=8, choices=LEVELS, default="answer")
    state = models.CharField(max_length=12, choices=State.choices, default=State.REQUESTED)
    result = models.JSONField(null=True, blank=True)
    refusal = models.TextField(blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(target_recall__gt=0, target_recall__lte=1), name="recall_is_a_share"),
            models.CheckConstraint(condition=Q(level__in=["answer", "mark"]), name="run_level_known"),
        ]

    def __str__(self) -> str:
        return f"{self.labelled_set_id} at {self.target_recall}: {self.state}"


class OperatingPoint(models.Model):
    """A threshold somebody chose, with its cost and the reason."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="operating_points")
    run = models.ForeignKey(CalibrationRun, on_delete=models.PROTECT, related_name="points")
    level = models.CharField(max_length=8, choices=LEVELS, default="answer")
    threshold = models.FloatField()
    result = models.JSONField()
    chosen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(blank=True, default="")
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Read at every proofreading: the point in force.
            models.UniqueConstraint(
                fields=["project", "level"], condition=Q(active=True), name="one_active_point_per_level"
            ),
            models.CheckConstraint(condition=Q(level__in=["answer", "mark"]), name="point_level_known"),
            models.CheckConstraint(condition=Q(threshold__gte=0, threshold__lte=1), name="threshold_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.level} ≥ {self.threshold}"


class Export(models.Model):
    """Labels on their way out, as a file with a manifest. Made in the background, fetched for a while, then gone."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        EXPIRED = "expired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=24, default="reviews/1")
    filters = models.JSONField(default=dict, blank=True)
    labelled_set = models.ForeignKey(
        LabelledSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="exports"
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.REQUESTED)
    rows = models.PositiveIntegerField(default=0)
    rows_total = models.PositiveIntegerField(null=True, blank=True)
    file = models.CharField(max_length=200, blank=True, default="")  # path below DATA_DIR
    sha256 = models.CharField(max_length=64, blank=True, default="")
    manifest = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["requested", "running", "done", "failed", "expired"]), name="export_state_known"
            ),
        ]
        indexes = [
            # Read by calibration.selectors.exports_of: newest first.
            models.Index(fields=["project", "-created_at"], name="exports_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.format}: {self.state}"
