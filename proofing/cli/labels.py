"""Commands about labelled answers: how well scores agree with them, what is fitted on them, which look wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from proofing.cli.options import Share, jobs_option, json_option, reading_options
from proofing.cli.output import json_text, said_faults, shown
from proofing.errors import BadInput
from proofing.judges.commands import panel_of, votes_option


@click.command()
@click.argument("path", metavar="LABELLED.jsonl")
@json_option
@jobs_option
@reading_options
def evaluate(path: str, as_json: bool, jobs: int, job: Any) -> int:
    """How well scores and marks agree with labels, each figure with a 95 % interval, per task."""
    from proofing.learning.evaluation import evaluate_scored

    labelled, scores = _scored(path, job, jobs)
    found = evaluate_scored(labelled, scores)
    click.echo(json_text(found.to_dict()) if as_json else str(found))
    return said_faults(len(labelled.faults), labelled.faults)


@click.command()
@click.argument("path", metavar="LABELLED.jsonl")
@click.option(
    "--target-recall",
    type=Share(0, 1, min_open=True),
    default=0.95,
    show_default=True,
    help="Share of faults to be flagged.",
)
@click.option("--level", type=click.Choice(["answer", "mark"]), default="answer", show_default=True)
@click.option("--out", type=click.Path(), help="File for the operating point (JSON).")
@json_option
@jobs_option
@reading_options
def calibrate(path: str, target_recall: float, level: str, out: str | None, as_json: bool, jobs: int, job: Any) -> int:
    """Fit an operating point and show what it costs; refuses when there are too few labels."""
    from proofing.learning.labelled import calibrated_file

    point, faults = calibrated_file(
        path,
        job,
        target_recall=target_recall,
        level=level,
        jobs=jobs,
        show=lambda items, n: shown(items, n, "reading"),
    )
    if out:
        Path(out).write_text(json_text(point.to_dict()) + "\n", encoding="utf-8")
    click.echo(json_text(point.to_dict()) if as_json else str(point))
    return said_faults(len(faults), faults)


@click.command()
@click.argument("path", metavar="LABELLED.jsonl")
@click.option("--out", required=True, type=click.Path(), help="File for the model (JSON).")
@click.option("--name", default="own", show_default=True, help="Name that goes into reports.")
@json_option
@reading_options
def train(path: str, out: str, name: str, as_json: bool, job: Any) -> int:
    """Fit the support model on labelled answers; figures are cross-validated, grouped by source.

    The reader stays in the model; at the fast tier, which asks no reader, a model without it is fitted.
    """
    from proofing.learning.training import train_file

    fitted, found, faults = train_file(path, job, name=name, show=lambda items, n: shown(items, n, "counting"))
    Path(out).write_bytes(fitted.to_bytes())
    click.echo(json_text(found.to_dict()) if as_json else str(found))
    return said_faults(len(faults), faults)


@click.command()
@click.argument("path", metavar="LABELLED.jsonl")
@click.option("--least", type=Share(0, 1), default=0.5, show_default=True, help="Least surprise to list.")
@click.option("--judges", "judges_path", type=click.Path(), help="Ask these judges as well (TOML; docs/judges.md).")
@votes_option
@json_option
@jobs_option
@reading_options
def audit(
    path: str, least: float, judges_path: str | None, votes_path: str | None, as_json: bool, jobs: int, job: Any
) -> int:
    """List the labels that are most likely wrong, most suspicious first."""
    from proofing.learning.audit import suspicious_labels

    panel = panel_of(judges_path, votes_path) if judges_path else None
    labelled, scores = _scored(path, job, jobs)
    if not labelled.examples:
        raise BadInput("no labelled answer could be read")
    heard = _heard(panel, labelled, scores) if panel else None
    for suspicion in suspicious_labels(labelled, scores, least=least, heard=heard):
        click.echo(json_text(suspicion.to_dict()) if as_json else str(suspicion))
    return said_faults(len(labelled.faults), labelled.faults)


def _heard(panel: Any, labelled: Any, scores: Sequence[Any]) -> Any:
    """What the judges say of labelled answers, with one line about each of them on standard error."""
    from proofing.judges.auditing import heard_on_labels
    from proofing.judges.commands import Tally, announce, case_of, progress

    announce(panel.judges)
    tally = Tally(panel.judges)
    with progress(len(labelled.lines)) as done:
        votes = panel.ask_all([case_of(line) for line in labelled.lines], done=done)
    for row in votes:
        tally.add(row)
    tally.tell()
    return heard_on_labels([score.probability for score in scores], votes, labelled.labels, labelled.groups())


def _scored(path: str, job: Any, jobs: int) -> tuple[Any, Any]:
    from proofing.learning.labelled import kept, read_labelled, scored

    labelled = read_labelled(path)
    outcomes = shown(scored(labelled.examples, job, jobs), len(labelled.examples), "proofreading")
    return labelled, kept(labelled, outcomes)


COMMANDS = (evaluate, calibrate, train, audit)
