"""What the machine knows: the answers it was given and what it found in them.

Texts are stored exactly as they came; every offset counts code points of the stored text.
"""

from __future__ import annotations

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

PROFILES = ("general", "strict", "conversational")
TIERS = ("fast", "standard", "deep")
#: Ways to search a corpus (`proofing.corpus.WAYS`), and how many passages of it an answer may be read against.
WAYS = ("tfidf", "dense", "hybrid")
MOST_PASSAGES = 20


def _share(field: str, name: str) -> models.CheckConstraint:
    """A nullable column that holds a number from 0 to 1."""
    return models.CheckConstraint(
        condition=Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 0, f"{field}__lte": 1}), name=name
    )


class Project(models.Model):
    """The wall between customers: everything else belongs to exactly one project."""

    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60, unique=True)
    profile = models.CharField(max_length=20, choices=[(p, p) for p in PROFILES], default="general")
    tier = models.CharField(max_length=10, choices=[(t, t) for t in TIERS], default="standard")
    locale = models.CharField(max_length=35, default="und")  # BCP 47; und = not declared
    #: Fields of `proofing.Settings` that differ from the profile's, such as {"mark_cut": 0.5}.
    thresholds = models.JSONField(default=dict, blank=True)
    # For answers that come without sources: how the project's corpus is searched, and for how many passages.
    corpus_method = models.CharField(max_length=10, choices=[(w, w) for w in WAYS], default="tfidf", db_default="tfidf")
    corpus_k = models.PositiveSmallIntegerField(
        default=4, db_default=4, validators=[MinValueValidator(1), MaxValueValidator(MOST_PASSAGES)]
    )
    # What a new queue starts with; each queue keeps its own.
    slots = models.PositiveSmallIntegerField(default=1)
    audit_share = models.FloatField(default=0.05)
    blind = models.BooleanField(default=True)
    retention_days = models.PositiveIntegerField(null=True, blank=True)  # None: answers are kept until deleted
    archived_at = models.DateTimeField(null=True, blank=True)  # hidden from everybody but those who administer it

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(profile__in=PROFILES), name="project_profile_known"),
            models.CheckConstraint(condition=Q(tier__in=TIERS), name="project_tier_known"),
            models.CheckConstraint(condition=Q(slots__gte=1, slots__lte=5), name="project_slots_from_1_to_5"),
            models.CheckConstraint(
                condition=Q(audit_share__gte=0, audit_share__lte=1), name="project_audit_share_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Question(models.Model):
    """One question as asked, once per project; drift histories hang on it."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="questions")
    text = models.TextField(blank=True)
    text_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            # Read by records.services when an answer arrives.
            models.UniqueConstraint(fields=["project", "text_hash"], name="one_question_per_text"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Source(models.Model):
    """One retrieved passage under its caller's key. A changed text under one key is a new row (a rebuilt index)."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sources")
    source_key = models.CharField(max_length=500)
    text = models.TextField(blank=True)
    text_hash = models.CharField(max_length=64)
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)

    class Meta:
        constraints = [
            # Read by records.services when an answer arrives, and by insights for texts that changed under one key.
            models.UniqueConstraint(fields=["project", "source_key", "text_hash"], name="one_source_per_key_and_text"),
        ]

    def __str__(self) -> str:
        return self.source_key


class Answer(models.Model):
    """One answer with its state. This row, not the broker, is the truth about what is still to do."""

    class State(models.TextChoices):
        RECEIVED = "received"
        PROOFREADING = "proofreading"
        PROOFREAD = "proofread"
        FAILED = "failed"
        DECIDED = "decided"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="answers")
    question = models.ForeignKey(Question, on_delete=models.RESTRICT, related_name="answers")
    sources: models.ManyToManyField[Source, AnswerSource] = models.ManyToManyField(Source, through="AnswerSource")
    text = models.TextField()
    content_hash = models.CharField(max_length=64)  # over question, answer, sources with keys
    external_id = models.CharField(max_length=200, blank=True, default="")
    model_name = models.CharField(max_length=200, blank=True, default="")
    task = models.CharField(max_length=60, blank=True, default="")
    locale = models.CharField(max_length=35, default="und")
    latency_ms = models.FloatField(null=True, blank=True)  # of the caller's pipeline, never of this machine
    given_label = models.SmallIntegerField(null=True, blank=True)
    given_labels = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.RECEIVED)
    attempts = models.PositiveSmallIntegerField(default=0)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True, default="")
    # Of the newest inspection, None before there is one. Triggers keep them so (records.tallies); nothing else writes.
    risk = models.CharField(max_length=10, null=True, blank=True, editable=False)
    route = models.CharField(max_length=16, null=True, blank=True, editable=False)
    probability = models.FloatField(null=True, blank=True, editable=False)
    # Whether one of its observations drifted. Triggers keep it so (records.repeated); nothing else writes.
    drifted = models.BooleanField(db_default=False, editable=False)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="supersedes"
    )
    received_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Read by records.services.receive_answer: the same content is one answer.
            models.UniqueConstraint(fields=["project", "content_hash"], name="one_answer_per_content"),
            # Read by records.services.receive_answer: an external id names one current answer.
            models.UniqueConstraint(
                fields=["project", "external_id"],
                condition=Q(superseded_by__isnull=True) & ~Q(external_id=""),
                name="one_current_answer_per_external_id",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["received", "proofreading", "proofread", "failed", "decided"]),
                name="answer_state_known",
            ),
            models.CheckConstraint(
                condition=Q(given_label__isnull=True) | Q(given_label__in=[0, 1]), name="given_label_is_0_or_1"
            ),
        ]
        indexes = [
            # Read by records.selectors.answers_page: newest first, keyset.
            models.Index(fields=["project", "-received_at", "-id"], name="answers_newest_first"),
            # Read by intake.services.requeue_stale; small, since most rows are finished.
            models.Index(
                fields=["heartbeat_at"],
                condition=Q(state__in=["received", "proofreading"]),
                name="answers_unfinished",
            ),
            # Read by records.selectors.answers_page: newest first of one risk, of one route, of one model, of a
            # rare state, and the most likely unsupported ones.
            models.Index(fields=["project", "risk", "-received_at", "-id"], name="answers_by_risk"),
            models.Index(fields=["project", "route", "-received_at", "-id"], name="answers_by_route"),
            models.Index(fields=["project", "model_name", "-received_at", "-id"], name="answers_by_model"),
            models.Index(
                fields=["project", "state", "-received_at", "-id"],
                condition=Q(state__in=["received", "proofreading", "failed"]),
                name="answers_in_rare_states",
            ),
            models.Index(
                fields=["project", "-probability", "-id"],
                condition=Q(probability__isnull=False),
                name="answers_by_probability",
            ),
            # Read by records.selectors.answers_page: newest first of those that drifted.
            models.Index(fields=["project", "-received_at", "-id"], condition=Q(drifted=True), name="answers_drifted"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class AnswerSource(models.Model):
    """Which sources an answer was given, in the caller's order; or, where it came with none, which passages of the
    project's corpus its newest inspection read it against (`score` is how near each is; None: it was given)."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="source_links")
    source = models.ForeignKey(Source, on_delete=models.RESTRICT, related_name="answer_links")
    position = models.PositiveSmallIntegerField()
    score = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            # Read by records.retrieved.sources_of.
            models.UniqueConstraint(fields=["answer", "position"], name="one_source_per_position"),
            models.UniqueConstraint(fields=["answer", "source"], name="one_position_per_source"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.source_id}"


class Observation(models.Model):
    """That an answer was seen: when, and by which request or line of a file. Drift reads these, not the answers."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="observations")
    #: The answer's, repeated so that a project's newest comparisons are one index range.
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="observations")
    #: "<project id>:<question key>", repeated from the question so that its newest are one index range; "" = none.
    history_key = models.CharField(max_length=80, blank=True, default="")
    seen_at = models.DateTimeField()
    batch = models.ForeignKey(
        "intake.ImportBatch", null=True, blank=True, on_delete=models.SET_NULL, related_name="observations"
    )
    line = models.PositiveIntegerField(null=True, blank=True)
    request_key = models.CharField(max_length=300, null=True, blank=True)  # "<project id>:<key>"
    external_id = models.CharField(max_length=200, blank=True, default="")
    fingerprint = models.JSONField(null=True, blank=True)  # holds no text; null until first needed
    drift_compared = models.PositiveSmallIntegerField(default=0)  # with how many earlier ones; 0 = too few
    drift_distance = models.FloatField(null=True, blank=True)
    drifted = models.BooleanField(default=False)
    changed_sources = models.JSONField(default=list, blank=True)  # keys whose text had changed: the likely cause

    class Meta:
        constraints = [
            # The three ways to know a retry; read by records.services.receive_answer.
            models.UniqueConstraint(fields=["batch", "line"], name="one_observation_per_line"),
            models.UniqueConstraint(fields=["request_key"], name="one_observation_per_request"),
            models.UniqueConstraint(
                fields=["answer", "external_id"],
                condition=~Q(external_id=""),
                name="one_observation_per_external_id",
            ),
            _share("drift_distance", "drift_distance_is_a_share"),
        ]
        indexes = [
            # Read by records.history: the newest earlier observations of a question.
            models.Index(fields=["history_key", "-seen_at", "-id"], name="observations_of_question"),
            # Read by records.services.receive_answer: an external id sent before.
            models.Index(fields=["external_id"], condition=~Q(external_id=""), name="observations_by_external_id"),
            # Read by insights.drift: the newest comparisons of a project, and those that drifted.
            models.Index(
                fields=["project", "-seen_at", "-id"], condition=Q(drift_compared__gt=0), name="observations_compared"
            ),
            models.Index(fields=["project", "-seen_at", "-id"], condition=Q(drifted=True), name="observations_drifted"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id} seen {self.seen_at:%Y-%m-%d %H:%M}"


class Inspection(models.Model):
    """One proofreading of an answer by one engine. A later one gets the next version; decisions keep theirs."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="inspections")
    version = models.PositiveIntegerField(default=1)
    engine_version = models.CharField(max_length=60)
    settings = models.JSONField(default=dict)
    sha256 = models.CharField(max_length=64)
    report = models.JSONField()  # report/1 as a whole
    unsupported_probability = models.FloatField()
    above_cut = models.BooleanField()
    floor = models.FloatField(null=True, blank=True)
    risk = models.CharField(max_length=10)
    route = models.CharField(max_length=16)
    final_score = models.FloatField(null=True, blank=True)
    tokens = models.JSONField(default=list)  # the marked answer as a token stream, made by records.rendering
    render_version = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Makes a task that is delivered twice harmless; read for the newest inspection of an answer.
            models.UniqueConstraint(fields=["answer", "version"], name="one_inspection_per_version"),
            models.CheckConstraint(condition=Q(risk__in=["low", "medium", "high", "critical"]), name="risk_known"),
            models.CheckConstraint(
                condition=Q(route__in=["accept", "healed_accept", "fallback", "discard"]), name="route_known"
            ),
            _share("unsupported_probability", "probability_is_a_share"),
            _share("floor", "floor_is_a_share"),
        ]
        indexes = [
            # Read by insights.selectors: routes over time.
            models.Index(fields=["created_at"], name="inspections_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id} v{self.version}: {self.risk}"


class RetrievedSource(models.Model):
    """A passage of the corpus that one inspection read an answer against; a later inspection may find others."""

    inspection = models.ForeignKey(Inspection, on_delete=models.CASCADE, related_name="retrieved")
    source = models.ForeignKey(Source, on_delete=models.RESTRICT, related_name="retrievals")
    position = models.PositiveSmallIntegerField()
    score = models.FloatField()

    class Meta:
        ordering = ["position"]
        constraints = [
            # Read by records.retrieved.sources_of; makes a task that is delivered twice harmless.
            models.UniqueConstraint(fields=["inspection", "position"], name="one_retrieved_per_position"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.source_id}"


class Mark(models.Model):
    """A span of the answer that its sources do not back, with its receipt."""

    inspection = models.ForeignKey(Inspection, on_delete=models.CASCADE, related_name="marks")
    index = models.PositiveIntegerField()  # place in the report's ranking, weakest first
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    kind = models.CharField(max_length=16)
    support = models.FloatField()
    probability = models.FloatField(null=True, blank=True)
    reason = models.CharField(max_length=16)
    receipt = models.JSONField(default=dict)

    class Meta:
        ordering = ["index"]
        constraints = [
            # Read by the item page and the exports.
            models.UniqueConstraint(fields=["inspection", "index"], name="one_mark_per_index"),
            models.CheckConstraint(condition=Q(start__lt=F("end")), name="mark_has_length"),
            _share("support", "support_is_a_share"),
            _share("probability", "mark_probability_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.text!r} ({self.reason})"


class Healing(models.Model):
    """What the healer proposes for one inspection; always there, `strategy` "none" when it changed nothing."""

    class Strategy(models.TextChoices):
        NONE = "none"
        CONTRADICTION_PATCH = "contradiction_patch"
        ENTITY_SCRUB = "entity_scrub"
        GROUNDING_REWRITE = "grounding_rewrite"
        SAFE_DECLINE = "safe_decline"

    inspection = models.OneToOneField(Inspection, on_delete=models.CASCADE, related_name="healing")
    strategy = models.CharField(max_length=24, choices=Strategy.choices)
    applied = models.BooleanField()
    text = models.TextField()
    proposal = models.TextField(null=True, blank=True)
    edits = models.JSONField(default=list)
    proposed = models.JSONField(default=list)  # the edits that give `proposal`
    alternatives = models.JSONField(default=list)
    initial_risk = models.CharField(max_length=10)
    final_risk = models.CharField(max_length=10)

    def __str__(self) -> str:
        return f"{self.strategy}: {self.initial_risk} → {self.final_risk}"


class Tally(models.Model):
    """A change of a count, or several joined: a count is the sum of its rows. Written by triggers (records.tallies)."""

    # No constraint: the last rows of a project are written while it is being deleted; `fold` clears them away.
    project = models.ForeignKey(Project, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+")
    subject = models.CharField(max_length=12)  # "route", "risk", "route_then", "item", "decision", "healed", "mine"
    owner = models.BigIntegerField()  # the queue of "item", the person of "mine"; else 0
    quarter = models.BigIntegerField()  # of an hour since 1970, for "route_then"; else 0
    code = models.CharField(max_length=16)  # of "mine" the queue
    n = models.BigIntegerField()
    folded = models.BooleanField(default=False)

    class Meta:
        constraints = [
            # Written by records.tallies.fold.
            models.UniqueConstraint(
                fields=["project", "subject", "owner", "quarter", "code"],
                condition=Q(folded=True),
                name="one_folded_row_per_count",
            ),
        ]
        indexes = [
            # Read by records.tallies.totals and insights.selectors.
            # The count is in it, so that the rows are not looked up besides.
            models.Index(fields=["project", "subject", "-quarter", "code", "n"], name="tallies_with_counts"),
            # Read by records.tallies.fold.
            models.Index(fields=["id"], condition=Q(folded=False), name="tallies_to_fold"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.code} {self.n:+}"
