"""`proofmark judges`: who they are, whether they are worth asking, and asking them about a file of answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from proofing.judges import Judge, Panel, Vote
    from proofing.judges.sanity import SanityReport

#: Answers read at a time, so that memory does not grow with the file.
CHUNK = 200

votes_option = click.option(
    "--votes", "votes_path", type=click.Path(), help="SQLite file that keeps votes: asking again costs nothing."
)


@click.group()
def judges() -> None:
    """Ask other models for a second opinion (optional; FILE is a TOML file, see docs/judges.md)."""


@judges.command("list")
@click.argument("path", metavar="FILE")
def list_(path: str) -> None:
    """Check the file and show who is in it; nothing is sent."""
    from proofing.judges.configuration import read_judges

    for judge in read_judges(path):
        key = "no key" if not judge.key_env else f"key in {judge.key_env}"
        if judge.key_env and not os.environ.get(judge.key_env, "").strip():
            key += " (not set)"
        click.echo(f"{judge.name}: {judge.model} at {judge.host}, {_reach(judge)}, {key}")


@judges.command()
@click.argument("path", metavar="FILE")
@click.option("--only", multiple=True, metavar="NAME", help="Only this judge; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@votes_option
def sanity(path: str, only: Sequence[str], as_json: bool, votes_path: str | None) -> int:
    """Ask every judge about built-in right and wrong answers; say which to drop."""
    from proofing.judges.sanity import run_sanity, sanity_cases

    panel = panel_of(path, votes_path, only)
    with progress(len(sanity_cases())) as done:
        report = run_sanity(panel, done=done)
    if as_json:
        click.echo(_json(report.to_dict()))
    else:
        click.echo(sanity_text(report))
    return 1 if any(not figures.valid for figures in report.judges) else 0


@judges.command()
@click.argument("path", metavar="IN.jsonl")
@click.option("--judges", "judges_path", required=True, type=click.Path(), help="The judges (TOML).")
@click.option("--only", multiple=True, metavar="NAME", help="Only this judge; may be given again.")
@click.option("--out", required=True, help="File for the votes, a line an answer; - for standard output.")
@click.option("--threshold", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Share that decides.")
@click.option("--least", type=click.IntRange(1), default=2, show_default=True, help="Votes a consensus needs.")
@votes_option
def ask(
    path: str,
    judges_path: str,
    only: Sequence[str],
    out: str,
    threshold: float,
    least: int,
    votes_path: str | None,
) -> int:
    """Ask the judges about every answer of a file: votes, consensus, and where the named words stand."""
    from proofing.batch import json_line
    from proofing.exchange.answers import scan_answers
    from proofing.exchange.jsonl import LineFault

    panel = panel_of(judges_path, votes_path, only)
    announce(panel.judges)
    faults, tally = 0, Tally(panel.judges)
    lines = scan_answers(path)
    first = list(islice(lines, CHUNK))  # an input that cannot be read leaves no output
    with _writer(out, path) as write:
        handful = first
        while handful:
            usable = [line for line in handful if not isinstance(line, LineFault)]
            said = iter(panel.ask_all([case_of(line) for line in usable]))
            for line in handful:
                if isinstance(line, LineFault):
                    faults += 1
                    write(json_line(line.to_dict()))
                    continue
                votes = next(said)
                tally.add(votes)
                write(json_line(opinion(line.id, line.answer, votes, threshold, least)))
            handful = list(islice(lines, CHUNK))
    tally.tell()
    if faults:
        click.echo(f"proofmark: {faults} {'line' if faults == 1 else 'lines'} could not be used", err=True)
    return 1 if faults else 0


# What the commands have in common ---------------------------------------------------------------------------


def panel_of(path: str, votes_path: str | None, only: Sequence[str] = ()) -> Panel:
    """The judges of a file, ready to be asked.

    Raises:
        BadInput: the file or a name in `only` is wrong, or the client library is missing.
    """
    from proofing.judges import Panel, read_judges
    from proofing.judges.cache import MemoryCache, SqliteCache
    from proofing.judges.configuration import chosen
    from proofing.judges.endpoint import check_installed

    found = read_judges(path)
    check_installed()
    return Panel(chosen(found, only) if only else found, SqliteCache(votes_path) if votes_path else MemoryCache())


def announce(asked: Sequence[Judge]) -> None:
    """Say on standard error where texts are about to go."""
    where = "; ".join(f"{judge.name} at {judge.host}, {_reach(judge)}" for judge in asked)
    click.echo(f"proofmark: questions, sources and answers are sent to {where}", err=True)


def _reach(judge: Judge) -> str:
    return "this machine" if judge.on_this_machine else "encrypted" if judge.encrypted else "NOT encrypted"


def case_of(line: Any) -> Any:
    """An answers/1 line as a case."""
    from proofing.judges import Case

    return Case(line.answer, line.sources, line.question, line.id or "")


def opinion(id: str | None, answer: str, votes: Sequence[Vote], threshold: float, least: int) -> dict[str, Any]:
    """One answer's votes as a line of `judge_votes/1`."""
    from proofing.judges import consensus_of
    from proofing.judges.words import named_spans

    spans, lost = named_spans(answer, votes)
    return {
        "schema": "judge_votes/1",
        "id": id,
        "consensus": consensus_of(votes, threshold=threshold, least=least).to_dict(),
        "votes": [vote.to_dict() for vote in votes],
        "named": [span.to_dict() for span in spans],
        "named_elsewhere": [list(pair) for pair in lost],
    }


class Tally:
    """What each judge has done in a run, for one line each at its end."""

    def __init__(self, asked: Sequence[Judge]) -> None:
        self.names = [judge.name for judge in asked]
        self.votes: list[list[Vote]] = [[] for _ in asked]

    def add(self, votes: Sequence[Vote]) -> None:
        for own, vote in zip(self.votes, votes, strict=True):
            own.append(vote)

    def tell(self) -> None:
        for name, votes in zip(self.names, self.votes, strict=True):
            click.echo(f"proofmark: {name}: {summary(votes)}", err=True)


def summary(votes: Sequence[Vote]) -> str:
    """Counts, cost and time of one judge's votes, as one line."""
    faults: dict[str, int] = {}
    for vote in votes:
        if not vote.valid:
            faults[vote.fault or vote.outcome] = faults.get(vote.fault or vote.outcome, 0) + 1
    asked = [vote for vote in votes if vote.requests]
    parts = [f"{sum(vote.valid for vote in votes)} of {len(votes)} votes valid"]
    parts += [f"{count} {name}" for name, count in sorted(faults.items())]
    parts.append(f"{sum(vote.requests for vote in votes)} requests")
    if any(vote.cached for vote in votes):
        parts.append(f"{sum(vote.cached for vote in votes)} known before")
    if asked:
        parts.append(f"{sum(vote.latency_ms for vote in asked) / len(asked) / 1000:.2f} s each")
    if any(vote.cost for vote in votes):
        parts.append(f"cost {sum(vote.cost for vote in votes):.4f}")
    return ", ".join(parts)


def sanity_text(report: SanityReport) -> str:
    """The sanity report as tables for a terminal."""
    columns = f"{'judge':20} {'valid':>6} {'invalid':>8} {'failed':>7} {'says yes':>9} {'right':>6}"
    head = f"{columns}  95 % interval   s each    cost"
    lines = [f"{report.cases} cases, half of them right", "", head]
    for one in report.judges:
        rate = "–" if one.yes_rate is None else f"{one.yes_rate:.0%}"
        right = "–" if one.accuracy is None else f"{one.accuracy:.0%}"
        low, high = one.interval
        lines.append(
            f"{one.judge[:20]:20} {one.valid:6} {one.invalid:8} {one.failed:7} {rate:>9} {right:>6}  "
            f"{low:5.0%} – {high:4.0%}   {one.seconds:6.2f}  {one.cost:.4f}"
        )
    lines += ["", "agreement (Cohen's kappa)"]
    for one, row in zip(report.judges, report.kappa, strict=True):
        lines.append(f"{one.judge[:20]:20} " + " ".join("    –" if value is None else f"{value:5.2f}" for value in row))
    for one in report.judges:
        if one.missed:
            lines.append(f"\n{one.judge} found no wrong {', '.join(one.missed)}")
    lines += ["", *(str(advice) for advice in report.advice)] if report.advice else ["", "nothing against any of them"]
    return "\n".join(lines)


@contextmanager
def progress(length: int) -> Iterator[Callable[[int, list[Vote]], None]]:
    """A callback for `Panel.ask_all` that moves a bar on a terminal."""
    if not sys.stderr.isatty():
        yield lambda place, votes: None
        return
    with click.progressbar(length=length, label="asking", file=sys.stderr) as bar:
        yield lambda place, votes: bar.update(1)


@contextmanager
def _writer(out: str, path: str) -> Iterator[Callable[[bytes], Any]]:
    from proofing.errors import BadInput

    if out == "-":
        yield sys.stdout.buffer.write
        return
    if path != "-" and Path(out).exists() and Path(out).samefile(path):
        raise BadInput(f"{out} is the input itself; give another file")
    with open(out, "wb") as stream:
        yield stream.write


def _json(record: Any) -> str:
    from proofing.batch import json_line

    return json_line(record).decode().rstrip("\n")
