"""Which support model reads a project's answers: the one that ships, or one fitted on the project's own labels."""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from proofing.errors import BadInput
from proofing.exchange.reviews import canonical_json
from proofing.learning.model import SupportModel, columns
from webapp.calibration.models import FittedModel, ModelChoice
from webapp.records.models import Project
from webapp.review.models import Event

logger = logging.getLogger(__name__)


# Reads --------------------------------------------------------------------------------------------------------


def choices_of(project: Project) -> QuerySet[ModelChoice]:
    """Who put which model in force, newest first."""
    rows = ModelChoice.objects.filter(project=project).select_related("model", "chosen_by")
    return rows.defer("model__content", "model__scores").order_by("-pk")


def models_of(project: Project) -> QuerySet[FittedModel]:
    """Every model that was fitted, newest first, without their contents."""
    rows = FittedModel.objects.filter(project=project).select_related("refit__labelled_set", "refit__created_by")
    return rows.defer("content", "scores").order_by("-version")


def chosen_model(project: Project) -> FittedModel | None:
    """The fitted model a lead put in force last; None where that is the one that ships."""
    choice = choices_of(project).first()
    return choice.model if choice else None


def is_readable(model: FittedModel) -> bool:
    """Whether this version of the engine counts what the model reads; after an upgrade it may not."""
    return model.columns_sha256 == columns_sha256()


def model_in_force(project: Project) -> FittedModel | None:
    """The chosen model, where this version can read it; None: the one that ships reads."""
    model = chosen_model(project)
    if model is not None and not is_readable(model):
        logger.error("%s was fitted for another version of the engine; the shipped model reads until a refit", model)
        return None
    return model


@lru_cache(maxsize=1)
def columns_sha256() -> str:
    """What models of this version read, as a hash."""
    return hashlib.sha256(canonical_json(columns())).hexdigest()


def support_model_of(project: Project) -> SupportModel | None:
    """The loaded model that reads the project's answers, as the engine takes it; None = the one that ships."""
    model = model_in_force(project)
    return loaded(model) if model else None


def loaded(model: FittedModel) -> SupportModel:
    """A fitted model, loaded once a process.

    Raises:
        BadInput: what is stored is not what was fitted, or this version cannot read it.
    """
    return _loaded(model.pk, model.sha256)


@lru_cache(maxsize=8)
def _loaded(pk: int, sha256: str) -> SupportModel:
    content = bytes(FittedModel.objects.values_list("content", flat=True).get(pk=pk))
    found = SupportModel.of_bytes(content, f"the fitted model {pk}")
    if found.sha256 != sha256:
        raise BadInput(f"the fitted model {pk} is not what was stored: its SHA-256 is {found.sha256}, not {sha256}")
    return found


@lru_cache(maxsize=1)
def shipped_name() -> str:
    """How reports name the model that ships; as `proofing.engine` where none does."""
    try:
        shipped = SupportModel.load(None)
    except FileNotFoundError:
        return "rules"
    return f"{shipped.name}@{shipped.sha256[:12]}"


def name_in_force(project: Project) -> str:
    """How the next report will name its model."""
    model = model_in_force(project)
    return model.reported if model else shipped_name()


# Writes -------------------------------------------------------------------------------------------------------


@transaction.atomic
def put_in_force(
    *, project: Project, model: FittedModel | None, reason: str, user: Any, now: datetime
) -> ModelChoice | None:
    """Let a model read the project's answers from now on; None: the one that ships. Who, when and why are kept.

    Returns:
        The choice; None where that model was in force already.

    Raises:
        BadInput: no reason, a model of another project, or one this version cannot read.
    """
    reason = reason.strip()
    if not reason:
        raise BadInput("say why this model is put in force")
    if model is not None and model.project_id != project.pk:
        raise BadInput("this model was fitted in another project")
    if model is not None and not is_readable(model):
        raise BadInput("this model was fitted for another version of the engine; fit a new one")
    # The project's row is the lock: two leads who choose at once do so one after the other.
    Project.objects.select_for_update().get(pk=project.pk)
    before = chosen_model(project)
    if (before.pk if before else None) == (model.pk if model else None):
        return None
    choice = ModelChoice.objects.create(project=project, model=model, chosen_by=user, reason=reason, at=now)
    Event.record(
        "model.in_force", choice, project=project, actor=user, at=now, reason=reason,
        model=model.reported if model else shipped_name(), before=before.reported if before else shipped_name(),
    )  # fmt: skip
    return choice
