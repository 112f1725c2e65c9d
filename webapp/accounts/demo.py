"""The demo: one project, one queue, two people and the answers of `webapp/demo/answers.jsonl`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from proofing.exchange.answers import AnswerLine, answer_of_record
from proofing.exchange.jsonl import LineFault, scan_records
from webapp.accounts.models import ApiToken, Membership, User
from webapp.accounts.services import create_token, digest_of, set_role
from webapp.celery import Queues
from webapp.intake.outbox import enqueue
from webapp.records.models import Project
from webapp.records.services import receive_answer
from webapp.review.models import Queue

SLUG = "demo"
PEOPLE = {"reviewer": Membership.Role.REVIEWER, "lead": Membership.Role.LEAD}
ANSWERS = Path(settings.BASE_DIR) / "webapp" / "demo" / "answers.jsonl"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading the demo did: passwords of the people it made, and how many answers were new."""

    passwords: dict[str, str]
    answers: int


def load_demo(*, now: datetime, path: Path = ANSWERS) -> Loaded:
    """Make what is missing of the demo; loading it again adds nothing."""
    with transaction.atomic():
        project, _ = Project.objects.get_or_create(slug=SLUG, defaults={"name": "Demo"})
        Queue.objects.get_or_create(project=project, name="Support desk")
        passwords = {name: made for name, role in PEOPLE.items() if (made := _person(project, name, role))}
        _token(project)
    return Loaded(passwords, _answers(project, path, now))


def _person(project: Project, name: str, role: str) -> str | None:
    """The password of a person who was not there yet; None for one who was."""
    user, fresh = User.objects.get_or_create(username=name)
    if fresh:
        password = new_password()
        user.set_password(password)
        user.save(update_fields=["password"])
    if not Membership.objects.filter(project=project, user=user).exists():
        set_role(project=project, user=user, role=role)
    return password if fresh else None


def new_password() -> str:
    """The password the environment asks for, else a random one."""
    return settings.DEMO_PASSWORD or secrets.token_urlsafe(9)


def reset_passwords() -> dict[str, str]:
    """New passwords for the demo's people; those who are not there are left out."""
    passwords = {}
    for user in User.objects.filter(username__in=PEOPLE, memberships__project__slug=SLUG).order_by("username"):
        passwords[user.username] = new_password()
        user.set_password(passwords[user.username])
        user.save(update_fields=["password"])
    return passwords


def _token(project: Project) -> None:
    secret = settings.DEMO_API_TOKEN
    if secret and not ApiToken.objects.filter(digest=digest_of(secret)).exists():
        create_token(project=project, name="Demo", secret=secret)


def _answers(project: Project, path: Path, now: datetime) -> int:
    """Store the demo's answers at the times they were seen, in the order of time, so that drift sees a history."""
    fresh = 0
    for seen_at, key, line in sorted(_sightings(path, now), key=lambda sighting: sighting[:2]):
        with transaction.atomic():
            received = receive_answer(project=project, line=line, now=seen_at, request_key=f"demo:{key}")
            if received.fresh:
                enqueue(received.answer.pk, Queues.BULK)
                fresh += 1
    return fresh


def _sightings(path: Path, now: datetime) -> Iterator[tuple[datetime, str, AnswerLine]]:
    """Each time an answer of the file was seen, with a key that stays the same from load to load."""
    if not path.exists():
        return
    for number, record in scan_records(path):
        if isinstance(record, LineFault):
            raise record
        line = answer_of_record(record, line=number)
        times = [_moment(text, number) for text in record.get("observed", [])]
        for place, seen_at in enumerate(times or [now]):
            yield seen_at, f"{line.id or number:>04}/{place}", line


def _moment(text: str, number: int) -> datetime:
    moment = parse_datetime(text)
    if moment is None:
        raise LineFault(f"{text!r} is no time", field="observed", line=number)
    return moment if moment.tzinfo else timezone.make_aware(moment)
