"""What humans say: queues, claims on items, decisions with their verdicts, and the log of everything that happened."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class Queue(models.Model):
    """Answers waiting for people, in one order, under one set of guidelines."""

    class Order(models.TextChoices):
        WEAKEST = "weakest"
        UNCERTAIN = "uncertain"
        NEWEST = "newest"
        RANDOM = "random"

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="queues")
    name = models.CharField(max_length=100)
    lease = models.DurationField(default=timedelta(minutes=15))
    order = models.CharField(max_length=12, choices=Order.choices, default=Order.WEAKEST)
    audit_share = models.FloatField(default=0.05)
    slots = models.PositiveSmallIntegerField(default=1)  # decisions asked of each answer, by different people
    blind = models.BooleanField(default=True)  # what others decided stays hidden until one's own decision is in
    paused_at = models.DateTimeField(null=True, blank=True)  # while set, nothing is dealt out
    #: Who gets its answers; empty means everybody who reviews in the project.
    reviewers: models.ManyToManyField[Any, Any] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="assigned_queues"
    )
    #: Which fresh answers it takes, as {"task": …, "model": …, "locale": …}; empty takes what no other queue takes.
    filters = models.JSONField(default=dict, blank=True)
    guidelines = models.TextField(blank=True, default="")
    guideline_version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="one_queue_per_name"),
            models.CheckConstraint(condition=Q(slots__gte=1, slots__lte=5), name="queue_slots_from_1_to_5"),
            models.CheckConstraint(condition=Q(audit_share__gte=0, audit_share__lte=1), name="audit_share_is_a_share"),
            models.CheckConstraint(
                condition=Q(order__in=["weakest", "uncertain", "newest", "random"]), name="queue_order_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class GuidelineVersion(models.Model):
    """One wording of a queue's guidelines, kept for the decisions that were made under it."""

    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="guideline_versions")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["queue", "version"], name="one_text_per_guideline_version"),
        ]

    def __str__(self) -> str:
        return f"{self.queue_id} v{self.version}"


class Item(models.Model):
    """One answer in one queue. `version` rises with every change of state: updates ask for the version they saw."""

    class State(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DECIDED = "decided"
        FLAGGED = "flagged"
        ARCHIVED = "archived"  # taken out of the queue by a lead; keeps everything said about it

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    queue = models.ForeignKey(Queue, on_delete=models.CASCADE, related_name="items")
    answer = models.ForeignKey("records.Answer", on_delete=models.CASCADE, related_name="items")
    inspection = models.ForeignKey("records.Inspection", on_delete=models.RESTRICT, related_name="items")
    priority = models.FloatField(default=0.0)  # higher comes first; its meaning follows the queue's order
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.RESTRICT, related_name="held_items"
    )
    held_until = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    audit = models.BooleanField(default=False)  # marks stay hidden until the reviewer has marked
    inclusion_probability = models.FloatField(default=1.0)
    skipped_by: models.ManyToManyField[Any, Any] = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="skipped_items"
    )
    created_at = models.DateTimeField(default=timezone.now)
    # How many standing decisions say something of the answer, and whether they differ. Triggers keep them so
    # (review.comparing); nothing else writes.
    voices = models.PositiveSmallIntegerField(db_default=0, editable=False)
    differs = models.BooleanField(db_default=False, editable=False)

    class Meta:
        constraints = [
            # Makes putting an answer into a queue twice harmless.
            models.UniqueConstraint(fields=["queue", "answer"], name="one_item_per_queue_and_answer"),
            models.CheckConstraint(
                condition=Q(state="claimed", held_by__isnull=False, held_until__isnull=False)
                | (~Q(state="claimed") & Q(held_by__isnull=True, held_until__isnull=True)),
                name="claimed_means_held",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "claimed", "decided", "flagged", "archived"]),
                name="item_state_known",
            ),
            models.CheckConstraint(
                condition=Q(inclusion_probability__gt=0, inclusion_probability__lte=1),
                name="inclusion_probability_is_a_share",
            ),
        ]
        indexes = [
            # Read by review.services.claims: the most urgent waiting ones, audits and others apart, oldest first among
            # equals.
            models.Index(
                fields=["queue", "audit", "-priority", "created_at", "id"],
                condition=Q(state="waiting"),
                name="items_waiting_in_turn",
            ),
            # Read by review.selectors.progress_of: counts by state without touching the rows.
            models.Index(fields=["queue", "state"], name="items_by_state"),
            # Read by review.services: claims that lapsed.
            models.Index(fields=["held_until"], condition=Q(state="claimed"), name="items_held"),
            # Read by review.lead_selectors: what several people decided on, and where they differ.
            models.Index(fields=["queue"], condition=Q(voices__gte=2), name="items_of_several"),
            models.Index(fields=["queue"], condition=Q(differs=True), name="items_differing"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id} in {self.queue_id}: {self.state}"

    @property
    def urgency(self) -> float:
        """Review priority as the page shows it, from 0 to 1: the place in the order where the order is by weakness."""
        if self.queue.order == Queue.Order.WEAKEST and not self.audit:
            return self.priority if 0 <= self.priority <= 1 else self.priority % 2.0  # less what a lead added
        return float(self.inspection.unsupported_probability)


class Claim(models.Model):
    """A reviewer's lease on an item."""

    class How(models.TextChoices):
        """How a claim ended."""

        DECIDED = "decided"
        RELEASED = "released"
        SKIPPED = "skipped"
        FLAGGED = "flagged"
        LAPSED = "lapsed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="claims")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="claims")
    issued_at = models.DateTimeField()
    until = models.DateTimeField()
    released_at = models.DateTimeField(null=True, blank=True)
    how = models.CharField(max_length=20, choices=How.choices, blank=True, default="")

    class Meta:
        constraints = [
            # The last word on "two people never hold one item".
            models.UniqueConstraint(
                fields=["item"], condition=Q(released_at__isnull=True), name="one_open_claim_per_item"
            ),
        ]
        indexes = [
            # Read by review.services.claims: whether an audit is due.
            models.Index(fields=["reviewer", "-issued_at"], name="claims_of_reviewer"),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer_id} holds {self.item_id} until {self.until:%H:%M}"


class Decision(models.Model):
    """What a reviewer decided about an answer, on the inspection they saw."""

    class Kind(models.TextChoices):
        ACCEPT_HEALED = "accept_healed"
        ACCEPT_EDITED = "accept_edited"
        KEEP = "keep"
        REJECT = "reject"
        SKIP = "skip"
        FLAG = "flag"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="decisions")
    inspection = models.ForeignKey("records.Inspection", on_delete=models.RESTRICT, related_name="decisions")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="decisions")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    final_text = models.TextField(blank=True, default="")
    switched_off = models.JSONField(default=list, blank=True)  # indexes of healing edits not wanted
    added_marks = models.JSONField(default=list, blank=True)  # missed marks: [{"start", "end", "text"}]
    wording_only = models.BooleanField(default=False)
    reason = models.TextField(blank=True, default="")
    request_key = models.CharField(max_length=200, unique=True)  # sent twice, decided once
    seconds = models.FloatField(null=True, blank=True)
    marks_hidden_first = models.BooleanField(default=False)
    guideline_version = models.PositiveIntegerField(default=1)
    nothing_else_unsupported = models.BooleanField(default=False)
    decided_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.RESTRICT, related_name="+"
    )
    # Its item's project and answer, and when that came, repeated so that a list of decisions is one range of an index.
    # Triggers keep them so (records.repeated); nothing else writes.
    project = models.ForeignKey(
        "records.Project", null=True, editable=False, db_index=False, db_constraint=False, on_delete=models.DO_NOTHING,
        related_name="+",
    )  # fmt: skip
    answer = models.ForeignKey(
        "records.Answer", null=True, editable=False, db_index=False, db_constraint=False, on_delete=models.DO_NOTHING,
        related_name="+",
    )  # fmt: skip
    received_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            # One standing decision per reviewer and item; read by calibration.labels.
            models.UniqueConstraint(
                fields=["item", "reviewer"],
                condition=Q(undone_at__isnull=True) & ~Q(kind__in=["skip", "flag"]),
                name="one_standing_decision_per_reviewer",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["accept_healed", "accept_edited", "keep", "reject", "skip", "flag"]),
                name="decision_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True, undone_by__isnull=True)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="undone_names_who",
            ),
        ]
        indexes = [
            # Read by "undo" (the newest of one reviewer) and by insights (pace).
            models.Index(fields=["reviewer", "-decided_at"], name="decisions_of_reviewer"),
            # Read by review.selectors.queue_rows: when a queue was last worked on.
            models.Index(fields=["-decided_at"], condition=Q(undone_at__isnull=True), name="decisions_standing_newest"),
            # Read by review.lead_selectors.skipped.
            models.Index(fields=["item"], condition=Q(kind="skip", undone_at__isnull=True), name="decisions_skipping"),
            # Read by insights.reviewers, which counts in the index alone: each column it asks for is there.
            models.Index(
                fields=["project", "-decided_at", "reviewer", "kind", "seconds"],
                condition=Q(undone_at__isnull=True),
                name="decisions_of_project",
            ),
            # Read by records.selectors.answers_page: what one person decided, in the order of the page.
            models.Index(
                fields=["reviewer", "project", "-received_at", "-answer"],
                condition=Q(undone_at__isnull=True),
                name="decisions_by_answer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} by {self.reviewer_id}"


class Verdict(models.Model):
    """What a decision says about one mark: clicked by the reviewer (explicit) or following from it (implied)."""

    class Says(models.TextChoices):
        UNSUPPORTED = "unsupported"
        SUPPORTED = "supported"
        UNSURE = "unsure"

    class Origin(models.TextChoices):
        EXPLICIT = "explicit"
        IMPLIED = "implied"

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="verdicts")
    mark = models.ForeignKey("records.Mark", on_delete=models.CASCADE, related_name="verdicts")
    verdict = models.CharField(max_length=12, choices=Says.choices)
    source = models.CharField(max_length=10, choices=Origin.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["decision", "mark"], name="one_verdict_per_mark"),
            models.CheckConstraint(
                condition=Q(verdict__in=["unsupported", "supported", "unsure"]), name="verdict_known"
            ),
            models.CheckConstraint(condition=Q(source__in=["explicit", "implied"]), name="verdict_source_known"),
        ]

    def __str__(self) -> str:
        return f"{self.mark_id}: {self.verdict} ({self.source})"


class Draft(models.Model):
    """A reviewer's unfinished work on an item; kept when the claim lapses."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="drafts")
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts")
    text = models.TextField(null=True, blank=True)  # null: not edited by hand
    verdicts = models.JSONField(default=dict, blank=True)  # {"<mark index>": "unsupported" | ...}
    switched_off = models.JSONField(default=list, blank=True)
    choices = models.JSONField(default=dict, blank=True)  # {"<mark index>": index of the alternative chosen for it}
    added_marks = models.JSONField(default=list, blank=True)
    reason = models.TextField(blank=True, default="")
    revealed_at = models.DateTimeField(null=True, blank=True)  # audit items: when the marks were shown
    opened_at = models.DateTimeField(null=True, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "reviewer"], name="one_draft_per_reviewer"),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer_id} on {self.item_id}"


class Gold(models.Model):
    """The one agreed label of an item, settled by a lead where reviewers differ; the decisions stay as they are."""

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="gold")
    inspection = models.ForeignKey("records.Inspection", on_delete=models.RESTRICT, related_name="golds")
    kind = models.CharField(max_length=16, choices=Decision.Kind.choices)
    final_text = models.TextField(blank=True, default="")
    wording_only = models.BooleanField(default=False)
    verdicts = models.JSONField(default=dict, blank=True)  # {"<mark index>": "unsupported" | "supported" | "unsure"}
    added_marks = models.JSONField(default=list, blank=True)  # [{"start", "end", "text"}]
    #: The decision that was taken over as it is; None where the lead settled it in other words.
    decision = models.ForeignKey(Decision, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="golds")
    decided_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["accept_healed", "accept_edited", "keep", "reject"]), name="gold_kind_known"
            ),
        ]
        indexes = [
            # Read by the list of gold answers: newest first.
            models.Index(fields=["-decided_at"], name="golds_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.kind}"


class BulkChange(models.Model):
    """One step that a lead took over many answers at once, with what is needed to take it back."""

    class Kind(models.TextChoices):
        QUEUE = "queue"
        PRIORITY = "priority"
        FLAG = "flag"
        ARCHIVE = "archive"
        RETURN = "return"
        AGAIN = "again"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="bulk_changes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    options = models.JSONField(default=dict, blank=True)  # {"queue": id}, {"place": "first"}, {"reason": "…"}
    filters = models.JSONField(default=dict, blank=True)  # what the answers were chosen by, as in the address
    before = models.JSONField(default=list, blank=True)  # one entry per changed row; its form follows the kind
    count = models.PositiveIntegerField(default=0)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="+")
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.RESTRICT, related_name="+"
    )
    undone_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["queue", "priority", "flag", "archive", "return", "again"]),
                name="bulk_kind_known",
            ),
        ]
        indexes = [
            # Read by the list of a project's bulk changes: newest first.
            models.Index(fields=["project", "-at"], name="bulk_changes_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.count}"


class EventQuerySet(models.QuerySet["Event"]):
    """Reading and adding only: what happened stays happened."""

    def update(self, **kwargs: Any) -> int:
        raise TypeError("events are append-only")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("events are append-only")


class Event(models.Model):
    """One thing that happened, never changed afterwards. Holds no answer text, so it survives a deleted answer."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40)  # "answer.decided", "import.done", ...
    object_type = models.CharField(max_length=30)
    object_id = models.CharField(max_length=40)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField()
    data = models.JSONField(default=dict, blank=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ["at", "id"]
        indexes = [
            # Read by an answer's history page (records.selectors.events_of).
            models.Index(fields=["object_type", "object_id", "at"], name="events_of_object"),
            # Read by insights and the webhooks: what happened in a project since.
            models.Index(fields=["project", "kind", "at"], name="events_of_project"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_type} {self.object_id}"

    @classmethod
    def record(
        cls,
        kind: str,
        subject: models.Model,
        *,
        project: Any,
        actor: Any = None,
        at: datetime | None = None,
        **data: Any,
    ) -> Event:
        """Write down that `kind` happened to `subject` (its model name and key are kept).

        `project` may be a Project or its id; `data` must be JSON-ready and free of answer text.
        """
        event = cls._about(kind, subject, project, actor, at, data)
        event.save(force_insert=True)
        return event

    @classmethod
    def record_all(
        cls, kind: str, subjects: Iterable[models.Model], *, project: Any, at: datetime | None = None
    ) -> list[Event]:
        """Write down that `kind` happened to each of `subjects`, in one statement.

        Nobody is told (no signal is sent), so it is for kinds that no webhook can ask for.
        """
        return Event.objects.bulk_create(cls._about(kind, subject, project, None, at, {}) for subject in subjects)

    @classmethod
    def _about(
        cls, kind: str, subject: models.Model, project: Any, actor: Any, at: datetime | None, data: dict[str, Any]
    ) -> Event:
        return Event(
            project_id=project.pk if isinstance(project, models.Model) else project,
            kind=kind,
            object_type=subject._meta.model_name or "",
            object_id=str(subject.pk),
            actor=actor,
            at=at or timezone.now(),
            data=data,
        )
