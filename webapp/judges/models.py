"""Other models' opinions: which of a site's judges serve a project, what they were asked, what they said."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class JudgeSettings(models.Model):
    """What a lead switched on for one project. Without a row, or with `enabled` false, nothing is ever sent."""

    class Threshold(models.TextChoices):
        ONE_OF_THREE = "one_of_three"
        MAJORITY = "majority"
        CALIBRATED = "calibrated"

    project = models.OneToOneField("records.Project", on_delete=models.CASCADE, related_name="judge_settings")
    enabled = models.BooleanField(default=False)
    #: {name: {"base_url", "model"}} of the judges ticked, as they were when a lead agreed to send texts there. A judge
    #: that has moved since is not asked until a lead agrees again.
    agreed = models.JSONField(default=dict, blank=True)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    agreed_at = models.DateTimeField(null=True, blank=True)
    automatic = models.BooleanField(default=False)  # ask about new answers as they are proofread
    threshold = models.CharField(max_length=16, choices=Threshold.choices, default=Threshold.MAJORITY)
    least_votes = models.PositiveSmallIntegerField(default=2)
    calibration = models.JSONField(null=True, blank=True)  # an operating_point/1 over the shares of judges
    stack = models.JSONField(null=True, blank=True)  # a judge_stack/1: votes beside the engine's probability

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(threshold__in=["one_of_three", "majority", "calibrated"]), name="judge_threshold_known"
            ),
            models.CheckConstraint(condition=Q(least_votes__gte=1), name="judge_least_votes_is_positive"),
            models.CheckConstraint(
                condition=Q(enabled=False) | Q(agreed_at__isnull=False), name="judges_on_means_agreed"
            ),
        ]

    def __str__(self) -> str:
        return f"judges of {self.project_id}: {'on' if self.enabled else 'off'}"


class JudgeRun(models.Model):
    """One round of asking, or of looking through labels; its rows are the truth about what is still to do."""

    class Kind(models.TextChoices):
        SANITY = "sanity"
        ANSWERS = "answers"
        AUDIT = "audit"

    class State(models.TextChoices):
        REQUESTED = "requested"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    UNFINISHED = (State.REQUESTED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="judge_runs")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=12, choices=State.choices, default=State.REQUESTED)
    with_judges = models.BooleanField(default=True)  # an audit can do without
    plan = models.JSONField(null=True, blank=True)  # keys of the answers it is about, chosen once; null: not yet
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True, default="")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Makes asking twice harmless; read by judges.services.request_run.
            models.UniqueConstraint(
                fields=["project", "kind"],
                condition=Q(state__in=["requested", "running"]),
                name="one_unfinished_judge_run_per_kind",
            ),
            models.CheckConstraint(condition=Q(kind__in=["sanity", "answers", "audit"]), name="judge_run_kind_known"),
            models.CheckConstraint(
                condition=Q(state__in=["requested", "running", "done", "failed", "cancelled"]),
                name="judge_run_state_known",
            ),
        ]
        indexes = [
            # Read by judges.selectors.runs_of: newest first.
            models.Index(fields=["project", "-created_at"], name="judge_runs_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"


class JudgeVote(models.Model):
    """What one judge said of one answer, or of a built-in case. `key` is what it depends on: known, it is not asked."""

    class Outcome(models.TextChoices):
        VALID = "valid"
        INVALID = "invalid"
        FAILED = "failed"
        OVER_BUDGET = "over_budget"

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="judge_votes")
    answer = models.ForeignKey(
        "records.Answer", null=True, blank=True, on_delete=models.CASCADE, related_name="judge_votes"
    )  # null: a built-in case
    judge = models.CharField(max_length=60)
    key = models.CharField(max_length=64)
    outcome = models.CharField(max_length=12, choices=Outcome.choices)
    unsupported = models.BooleanField(null=True, blank=True)
    reason = models.TextField(blank=True, default="")
    words = models.JSONField(default=list, blank=True)
    form = models.CharField(max_length=8, blank=True, default="")
    fault = models.CharField(max_length=24, blank=True, default="")
    requests = models.PositiveIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    latency_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Read by the desk: a judge has one opinion on an answer, the newest.
            models.UniqueConstraint(
                fields=["answer", "judge"], condition=Q(answer__isnull=False), name="one_vote_per_judge_and_answer"
            ),
            models.UniqueConstraint(
                fields=["project", "judge", "key"], condition=Q(answer__isnull=True), name="one_vote_per_built_in_case"
            ),
            models.CheckConstraint(
                condition=Q(outcome="valid", unsupported__isnull=False)
                | (~Q(outcome="valid") & Q(unsupported__isnull=True)),
                name="only_valid_votes_say_something",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["valid", "invalid", "failed", "over_budget"]), name="judge_vote_outcome_known"
            ),
        ]
        indexes = [
            # Read by judges.asking: votes that need no asking.
            models.Index(fields=["project", "key"], name="judge_votes_by_key"),
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.answer_id}: {self.outcome}"


class JudgeUsage(models.Model):
    """What one judge did for one project in one month: counts that only rise. Budgets are held against their sum."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="judge_usage")
    judge = models.CharField(max_length=60)
    month = models.DateField()  # its first day
    valid = models.PositiveIntegerField(default=0)
    invalid = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)  # votes that cost nothing, for they were known
    requests = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    waited_ms = models.FloatField(default=0.0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "judge", "month"], name="one_judge_usage_per_month"),
        ]
        indexes = [
            # Read by judges.asking.spent_this_month: over all projects.
            models.Index(fields=["month", "judge"], name="judge_usage_by_month"),
        ]

    def __str__(self) -> str:
        return f"{self.judge} {self.month:%Y-%m}: {self.requests} requests"


class Doubt(models.Model):
    """A stored label that engine or judges deny, until a lead settles it."""

    class State(models.TextChoices):
        OPEN = "open"
        KEPT = "kept"  # the label is right
        CHANGED = "changed"  # it was wrong; gold says so
        GONE = "gone"  # the label itself has changed since, or nobody denies it any more

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="doubts")
    item = models.OneToOneField("review.Item", on_delete=models.CASCADE, related_name="doubt")
    label = models.SmallIntegerField()  # as it was when doubted; 1 = unsupported
    origin = models.CharField(max_length=10)  # decision, gold or given
    surprise = models.FloatField()
    probability = models.FloatField()
    by = models.CharField(max_length=10)
    votes = models.PositiveSmallIntegerField(default=0)
    against = models.PositiveSmallIntegerField(default=0)
    reasons = models.JSONField(default=list, blank=True)  # [[judge, reason]] of those who deny the label
    weakest = models.TextField(blank=True, default="")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    note = models.TextField(blank=True, default="")
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    settled_at = models.DateTimeField(null=True, blank=True)
    found_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(label__in=[0, 1]), name="doubted_label_is_0_or_1"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "kept", "changed", "gone"]), name="doubt_state_known"
            ),
        ]
        indexes = [
            # Read by judges.selectors.doubts_of: the most surprising of one state.
            models.Index(fields=["project", "state", "-surprise", "id"], name="doubts_by_surprise"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.label} denied by {self.by}"
