"""Options that several commands share, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import click

from proofing.errors import BadInput
from proofing.settings import PROFILES, TIERS, Settings

T = TypeVar("T")


class Share(click.FloatRange):
    """A number in a range; "nan", which is in none, is refused as well."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value!r} is no number.", param, ctx)
        return found


def reading_options(command: Callable[..., T]) -> Callable[..., T]:
    """Tier, profile, locale, model, point and history; the command gets them as one `Job` named `job`."""

    @click.option("--tier", type=click.Choice(TIERS), default="standard", show_default=True, help="How deep to look.")
    @click.option("--profile", type=click.Choice(list(PROFILES)), default="general", show_default=True)
    @click.option("--locale", default="und", show_default=True, help="Language of numbers and dates (BCP 47).")
    @click.option("--model", type=click.Path(), help="A fitted support model (see `proofmark train`).")
    @click.option("--point", type=click.Path(), help="An operating point (see `proofmark calibrate --out`).")
    @click.option("--history", type=click.Path(), help="Drift history, one SQLite file; made when missing.")
    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> T:
        names = ("tier", "profile", "locale", "model", "point", "history")
        return command(*args, job=_job(**{name: kwargs.pop(name) for name in names}), **kwargs)

    return wrapped


def _job(tier: str, profile: str, locale: str, model: str | None, point: str | None, history: str | None) -> Any:
    from proofing.batch import Job
    from proofing.learning.calibrate import OperatingPoint

    if not re.fullmatch(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*", locale):
        raise BadInput(f"--locale {locale!r} is no language tag; give one like en, de-CH or und")
    settings = Settings.for_profile(profile, tier=tier, locale=locale)
    beside = None
    if point:
        found = OperatingPoint.load(point)
        if found.level == "mark":
            settings = Settings.for_profile(profile, tier=tier, locale=locale, mark_cut=found.threshold)
        else:
            beside = {**found.judged(0.0), "name": found.judged(0.0)["point"]}
    if model:
        from proofing.learning.model import SupportModel

        SupportModel.load(model)  # an unusable model is said once, before the work begins
    return Job(settings, model, beside, history)


jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes; the output is the same."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def answer_options(command: Callable[..., T]) -> Callable[..., T]:
    """One answer with its sources from files; the command gets it as `line`."""

    @click.option("--answer", required=True, help="File with the answer; - for standard input.")
    @click.option("--source", "sources", multiple=True, metavar="ID=FILE", help="A source; may be given again.")
    @click.option("--question", default="", help="What was asked.")
    @click.option("--id", "answer_id", help="Id for the report.")
    @wraps(command)
    def wrapped(*args: Any, answer: str, sources: Sequence[str], question: str, answer_id: str | None, **kw: Any) -> T:
        return command(*args, line=_line(answer, sources, question, answer_id), **kw)

    return wrapped


def _line(answer: str, sources: Sequence[str], question: str, answer_id: str | None) -> Any:
    from proofing.documents import Source, check_text
    from proofing.exchange.answers import AnswerLine, unique_sources

    files = []
    for given in sources:
        key, sign, file = given.partition("=")
        if not sign or not key or not file:
            raise BadInput(f"--source {given!r}: give it as ID=FILE")
        files.append((key, file))
    if [answer, *(file for _, file in files)].count("-") > 1:
        raise BadInput("standard input (-) can be read once only; give a file for the others")
    text = _text_of(answer)
    read = unique_sources(Source(check_text(key, "the source id"), _text_of(file)) for key, file in files)
    return AnswerLine(answer=text, sources=read, question=check_text(question, "the question"), id=answer_id)


def _text_of(path: str) -> str:
    from proofing.documents import check_text
    from proofing.exchange.jsonl import opened

    with opened(path) as stream:
        raw = stream.read().removeprefix(b"\xef\xbb\xbf")
    try:
        return check_text(raw.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 (byte {error.start + 1}); save it as UTF-8") from error
