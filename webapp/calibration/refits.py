"""Refits of the support model on a frozen set, in the background: asked for, carried out, called off, found again.

The work itself is `proofing.learning.refitting`. A worker that dies leaves nothing behind: the next one starts over.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from proofing.errors import BadInput, ProofingError, Refused
from proofing.exchange.reviews import labelled_answer
from proofing.learning.refitting import Counting, Refitted, Row, drawn, refit_and_compare
from webapp.calibration import labels
from webapp.calibration.models import FittedModel, LabelledRow, LabelledSet, Refit
from webapp.calibration.reading_models import columns_sha256, loaded, model_in_force, shipped_name
from webapp.intake.outbox import enqueue_refit
from webapp.lost_work import give_again, silent_since
from webapp.records.models import Project
from webapp.review.models import Event

if TYPE_CHECKING:
    from proofing.learning.examples import Example

logger = logging.getLogger(__name__)

#: A worker that dies this often on one refit is not given it again.
ATTEMPTS = 3
#: Seconds between two signs of life.
BEAT = 2.0
#: Lines are long: so many are held at once.
CHUNK = 50


class CalledOff(Exception):
    """The refit was called off, or given to another worker."""


@transaction.atomic
def request_refit(*, labelled_set: LabelledSet, now: datetime, user: Any = None) -> Refit:
    """Have the support model fitted on a frozen set, in the background; while a refit of the project is unfinished,
    that one.

    Raises:
        BadInput: the set is not frozen yet.
    """
    if labelled_set.state != LabelledSet.State.FROZEN:
        raise BadInput("this set is not frozen yet")
    try:
        with transaction.atomic():
            refit = Refit.objects.create(
                labelled_set=labelled_set, project_id=labelled_set.project_id, created_by=user, created_at=now,
                heartbeat_at=now,
            )  # fmt: skip
    except IntegrityError:
        return Refit.objects.get(project=labelled_set.project_id, state__in=Refit.UNFINISHED)
    Event.record("refit.requested", refit, project=refit.project_id, actor=user, at=now, set=labelled_set.name)
    enqueue_refit(refit.pk)
    return refit


@transaction.atomic
def cancel_refit(*, refit: Refit, user: Any, now: datetime) -> bool:
    """Call a refit off; its worker notices within seconds. False when it had ended already."""
    moved = Refit.objects.filter(pk=refit.pk, state__in=Refit.UNFINISHED).update(state=Refit.State.CANCELLED)
    if moved:
        Event.record("refit.cancelled", refit, project=refit.project_id, actor=user, at=now)
    return bool(moved)


def run_refit(*, refit_id: int | str) -> None:
    """Fit and compare, or keep the refusal with what is missing. Delivered twice, it runs once."""
    moved = Refit.objects.filter(pk=refit_id, state=Refit.State.REQUESTED).update(
        state=Refit.State.RUNNING, attempts=F("attempts") + 1, done=0, heartbeat_at=timezone.now()
    )
    if not moved:
        return
    refit = Refit.objects.select_related("labelled_set", "project").get(pk=refit_id)
    try:
        _Work(refit).carry_out()
    except CalledOff:
        return
    except (Refused, BadInput) as refusal:
        _end(refit, Refit.State.REFUSED, refusal=str(refusal))
    except Exception as error:
        # No traceback: its locals hold texts, which do not belong in logs.
        logger.error("refit %s failed: %s", refit.pk, type(error).__name__)
        _end(refit, Refit.State.FAILED, refusal=f"{type(error).__name__}: {error}"[:500])


def _mine(refit: Refit) -> QuerySet[Refit]:
    """The row while this worker has it: not when it was called off, or given to another worker."""
    return Refit.objects.filter(pk=refit.pk, state=Refit.State.RUNNING, attempts=refit.attempts)


@transaction.atomic
def _end(refit: Refit, state: str, *, refusal: str) -> None:
    if _mine(refit).update(state=state, refusal=refusal, heartbeat_at=timezone.now()):
        Event.record(f"refit.{state}", refit, project=refit.project_id)


class _Work:
    """One worker's try."""

    def __init__(self, refit: Refit) -> None:
        self.refit = refit
        self.in_force = model_in_force(refit.project)
        self.said = time.monotonic()
        self.done = 0
        self.counts: dict[str, int] = {}

    def carry_out(self) -> None:
        from webapp.intake.engine import settings_of

        training, held_out = self._drawn()
        if not _mine(self.refit).update(total=len(training) + len(held_out)):
            raise CalledOff
        try:
            counting = Counting(settings_of(self.refit.project))
        except FileNotFoundError as error:
            raise BadInput(f"{error}: there is nothing to refit") from error
        fitted_on = list(self._examples(counting, training))
        compared_on = list(self._examples(counting, held_out))
        self.counts |= {
            "training": len(fitted_on), "training_unsupported": sum(e.label for _, e in fitted_on),
            "held_out": len(compared_on), "held_out_unsupported": sum(e.label for _, e in compared_on),
            "unusable": len(training) + len(held_out) - len(fitted_on) - len(compared_on),
        }  # fmt: skip
        found = refit_and_compare(
            counting, [e for _, e in fitted_on], [e for _, e in compared_on],
            in_force=loaded(self.in_force) if self.in_force else None, say=self._say,
        )  # fmt: skip
        keys = [row.key for row, _ in (*fitted_on, *compared_on)]
        scores = list(zip(keys, (*found.fitted.probabilities, *found.new), strict=True))
        self._store(found, counting, scores, [e.label for _, e in compared_on])

    def _drawn(self) -> tuple[list[Row], list[Row]]:
        """Rows to fit on and to compare on; without held-out ones that the model in force was fitted on."""
        seen: set[Any] = set()
        if self.in_force is not None:
            known = LabelledRow.objects.filter(
                labelled_set=self.in_force.refit.labelled_set_id, split=LabelledRow.Split.TRAIN
            )
            seen = set(known.values_list("answer", flat=True))
        rows, left_out = [], 0
        members = self.refit.labelled_set.members.filter(label__isnull=False).order_by("pk")
        for row in members.iterator(chunk_size=CHUNK):
            self._say("rows")
            held_out = row.split == LabelledRow.Split.TEST
            if held_out and row.answer_id in seen:
                left_out += 1
            else:
                label = int(row.label or 0)
                rows.append(Row(row.pk, labels.content_of(row.line), str(row.line["group"]), label, held_out))
        try:
            training, compared = drawn(rows, self.refit.project.tier)
        except Refused as refusal:
            why = f" ({left_out} were left out, since the model in force was fitted on them)" if left_out else ""
            raise Refused(f"{refusal}{why}") from refusal
        self.counts = {"left_out": len(rows) - len(training) - len(compared), "known": left_out}
        return training, compared

    def _examples(self, counting: Counting, rows: Sequence[Row]) -> Iterator[tuple[Row, Example]]:
        """What the engine reads of each row; rows it refuses today are passed over."""
        for at in range(0, len(rows), CHUNK):
            part = rows[at : at + CHUNK]
            lines = dict(LabelledRow.objects.filter(pk__in=[r.key for r in part]).values_list("pk", "line"))
            for row in part:
                self.done += 1
                self._say("read")
                try:
                    line = replace(labelled_answer(lines[row.key]), locale=lines[row.key].get("locale"))
                    yield row, counting.example(line, row)
                except ProofingError:
                    continue

    def _say(self, _: str) -> None:
        """A sign of life now and then; stops the work where it is no longer wanted."""
        if time.monotonic() - self.said < BEAT:
            return
        self.said = time.monotonic()
        if not _mine(self.refit).update(done=self.done, heartbeat_at=timezone.now()):
            raise CalledOff

    @transaction.atomic
    def _store(
        self, found: Refitted, counting: Counting, scores: Sequence[tuple[int, float]], truths: Sequence[int]
    ) -> None:
        """The model with its card, and what it came to; nothing where the work was given to somebody else."""
        now, refit = timezone.now(), self.refit
        result = {
            "counts": self.counts,
            "engine": counting.engine,
            "in_force": self.in_force.reported if self.in_force else shipped_name(),
            "cuts": list(found.cuts),
            "figures": {name: one.to_dict(name) for name, one in found.figures.items()},
            "shipped": {name: one.old.to_dict() for name, one in found.shipped.items()} if found.shipped else None,
            "scores": [list(row) for row in zip(truths, found.old, found.new, strict=True)],
        }
        if not _mine(refit).update(
            state=Refit.State.DONE, result=result, done=F("total"), refusal="", heartbeat_at=now
        ):
            return
        project = Project.objects.select_for_update().get(pk=refit.project_id)
        version = FittedModel.objects.filter(project=project).count() + 1
        name = f"{project.slug}-{version}"
        card = self._card(result, now)
        content = replace(found.fitted, data={**found.fitted.data, "name": name, "card": card}).to_bytes()
        model = FittedModel.objects.create(
            project=project, refit=refit, version=version, name=name, sha256=_sha256(content), content=content,
            columns_sha256=columns_sha256(), card=card, scores=[list(pair) for pair in scores], created_at=now,
        )  # fmt: skip
        Event.record("refit.done", refit, project=project, at=now, model=model.reported)

    def _card(self, result: dict[str, Any], now: datetime) -> dict[str, Any]:
        """What people should know of the model; stands in its file."""
        kept = self.refit.labelled_set
        return {
            "what": f"{shipped_name()} with its last stages fitted on a project's own decisions; the forests of words "
            "and sentences are those of that model",
            "base": shipped_name(),
            "labelled_set": {"name": kept.name, "sha256": kept.sha256},
            "counts": result["counts"],
            "engine": result["engine"],
            "compared_with": result["in_force"],
            "figures": {name: one["new"] for name, one in result["figures"].items()},
            "figures_on": "the held-out fifth of the set's sources, 95 % intervals bootstrapped over whole sources",
            "date": now.date().isoformat(),
            "limits": [
                "labels are reviewers' decisions on answers they were dealt, not a random sample of all answers",
                "probabilities of single words are those of the base",
                "for this project's kind of answers; elsewhere it may be worse than the base",
            ],
        }


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def requeue_stale(*, now: datetime) -> int:
    """Give refits of silent workers out again; how many."""
    return give_again(
        Refit.objects.filter(state__in=Refit.UNFINISHED, heartbeat_at__lt=silent_since(now)),
        state=Refit.State.REQUESTED, send=enqueue_refit, now=now, attempts=ATTEMPTS,
        given_up={"state": Refit.State.FAILED, "refusal": f"its worker died {ATTEMPTS} times"},
    )  # fmt: skip
