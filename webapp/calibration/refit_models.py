"""Support models fitted on a project's own labels, which of them reads, and what the answers it reads are like."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Refit(models.Model):
    """One try to fit the support model on a frozen set; what it came to, or why it was refused."""

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"
        REFUSED = "refused"
        FAILED = "failed"
        CANCELLED = "cancelled"

    UNFINISHED = (State.REQUESTED, State.RUNNING)

    labelled_set = models.ForeignKey("calibration.LabelledSet", on_delete=models.CASCADE, related_name="refits")
    #: The set's, repeated so that one unfinished refit a project is a constraint.
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="refits")
    state = models.CharField(max_length=12, choices=State.choices, default=State.REQUESTED)
    total = models.PositiveIntegerField(default=0)  # answers to read
    done = models.PositiveIntegerField(default=0)  # of these, read
    attempts = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(null=True, blank=True)  # figures of the comparison (calibration.refits)
    refusal = models.TextField(blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Makes asking twice harmless; read by calibration.refits.request_refit.
            models.UniqueConstraint(
                fields=["project"], condition=Q(state__in=["requested", "running"]), name="one_unfinished_refit"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["requested", "running", "done", "refused", "failed", "cancelled"]),
                name="refit_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"refit on {self.labelled_set_id}: {self.state}"


class FittedModel(models.Model):
    """A support model fitted on a project's labels: one JSON file as the engine loads it, never changed afterwards."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="fitted_models")
    refit = models.OneToOneField(Refit, on_delete=models.PROTECT, related_name="model")
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=80)  # stands in reports, as "name@" and the first 12 digits of the hash
    sha256 = models.CharField(max_length=64)  # of `content`
    content = models.BinaryField()  # support_model/1; some 650 kB, so lists defer it
    columns_sha256 = models.CharField(max_length=64)  # of the columns it reads: another engine may count others
    card = models.JSONField(default=dict)
    #: [[key of a row, probability]]: out of fold for what it was fitted on, else what it says.
    scores = models.JSONField(default=list)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="one_fitted_model_per_version"),
            models.CheckConstraint(condition=~Q(sha256=""), name="fitted_models_carry_their_hash"),
        ]

    def __str__(self) -> str:
        return self.reported

    @property
    def reported(self) -> str:
        """How reports name it."""
        return f"{self.name}@{self.sha256[:12]}"


class ModelChoice(models.Model):
    """Which support model reads a project's answers from then on. The newest row is in force; none: the shipped one."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="model_choices")
    model = models.ForeignKey(
        FittedModel, null=True, blank=True, on_delete=models.PROTECT, related_name="choices"
    )  # null: the one that ships
    chosen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField()

    class Meta:
        indexes = [
            # Read at every proofreading: the newest one.
            models.Index(fields=["project", "-id"], name="model_choices_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.model_id or 'shipped'}"


class AnswerInput(models.Model):
    """What one answer was like when it was first proofread, in a few numbers; a window of the newest is compared."""

    answer = models.OneToOneField("records.Answer", on_delete=models.CASCADE, related_name="input", primary_key=True)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    answer_words = models.PositiveIntegerField()
    source_count = models.PositiveIntegerField()
    source_words = models.PositiveIntegerField()  # of all sources together
    language = models.CharField(max_length=35)
    marked = models.BooleanField()
    route = models.CharField(max_length=16)
    probability = models.FloatField()

    class Meta:
        indexes = [
            # Read by calibration.inputs: the newest of a project.
            models.Index(fields=["project", "-at", "-answer"], name="answer_inputs_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id}: {self.answer_words} words"
