"""Commands that proofread: one answer, a file of them, the demonstration, and the tool for other programs."""

from __future__ import annotations

from typing import Any

import click

from proofing.cli.options import answer_options, jobs_option, json_option, reading_options
from proofing.cli.output import NAMED, json_text, length_of, output, said_faults, shown
from proofing.settings import TIERS, Settings


@click.command()
@answer_options
@reading_options
@json_option
def read(line: Any, job: Any, as_json: bool) -> None:
    """Proofread one answer; one receipt line per mark, weakest first."""
    from proofing.batch import Reader
    from proofing.printing import report_text

    report = Reader(job).report(line)
    click.echo(json_text(report.to_dict()) if as_json else report_text(report))


@click.command()
@answer_options
@reading_options
@json_option
def heal(line: Any, job: Any, as_json: bool) -> None:
    """Print the healed answer and what changed, word by word."""
    from proofing.batch import Reader
    from proofing.printing import healing_text

    report = Reader(job).report(line)
    click.echo(json_text(report.to_dict()) if as_json else healing_text(report))


@click.command()
@click.argument("path", metavar="IN.jsonl")
@click.option("--out", required=True, help="File for the reports; - for standard output.")
@click.option("--timings", is_flag=True, help="Keep timings in the reports (they differ from run to run).")
@jobs_option
@reading_options
def batch(path: str, out: str, timings: bool, jobs: int, job: Any) -> int:
    """Inspect, score and heal every answer of a file: one report per line, in order."""
    from proofing.batch import json_line, read_all, report_json, timed_report_json
    from proofing.exchange.answers import scan_answers
    from proofing.exchange.jsonl import LineFault

    faults: list[LineFault] = []
    count = answers = 0
    of_report = timed_report_json if timings else report_json
    lines = shown(scan_answers(path), length_of(path), "proofreading")
    with output(out, path) as stream:
        for found in read_all(lines, job, of_report, jobs):
            if isinstance(found, LineFault):
                count += 1
                faults += [found][: NAMED - len(faults)]
                found = json_line(found.to_dict())
            answers += 1
            stream.write(found)
    if not answers:
        click.echo(f"proofmark: there is no answer in {path}", err=True)
    return said_faults(count, faults)


@click.command()
@click.option("--scenario", type=click.IntRange(1, 5), help="Only this one of the five.")
@click.option("--tier", type=click.Choice(TIERS), default="standard", show_default=True)
def demo(scenario: int | None, tier: str) -> None:
    """Five small failure stories: detected, scored, healed."""
    from proofing.demo import SCENARIOS, run_scenario

    numbers = [scenario] if scenario else range(1, len(SCENARIOS) + 1)
    click.echo("\n\n".join(run_scenario(number, Settings(tier=tier)) for number in numbers))


@click.command()
def mcp() -> None:
    """Serve the tool `find_unsupported_words` over standard input and output."""
    from proofing.mcp import serve

    serve()


COMMANDS = (read, heal, batch, demo, mcp)
