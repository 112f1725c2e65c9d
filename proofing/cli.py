"""The `proofmark` command: a thin door to the public API.

Exit codes: 0 done; 1 done, with items that could not be used; 2 bad arguments or unreadable input; 3 refused (too
few labels). Errors are one line on standard error: what, where, how to mend.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

import proofing
from proofing.errors import BadInput, ProofingError, Refused
from proofing.judges.commands import judges, panel_of, votes_option
from proofing.settings import PROFILES, TIERS, Settings

DONE, WITH_FAULTS, BAD_INPUT, REFUSED = 0, 1, 2, 3
T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # several threads on shared cores are slower than one
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(
            args=None if arguments is None else list(arguments), prog_name="proofmark", standalone_mode=False
        )
        sys.stdout.flush()
        return int(code or DONE)
    except Refused as error:
        return _failed(str(error), REFUSED)
    except ProofingError as error:
        return _failed(str(error), BAD_INPUT)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return BAD_INPUT
    except click.ClickException as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if isinstance(error, click.UsageError) and error.ctx else ""
        return _failed(error.format_message() + hint, BAD_INPUT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads any more: say nothing
        return DONE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}", BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _failed("stopped", 130)
    except Exception as error:  # a fault of ours: still one line, unless somebody wants to see where
        if os.environ.get("PROOFMARK_TRACE"):
            raise
        said = f"internal error ({type(error).__name__}: {error}); PROOFMARK_TRACE=1 shows where"
        return _failed(said, BAD_INPUT)


def _failed(message: str, code: int) -> int:
    click.echo(f"proofmark: {' '.join(message.split())}", err=True)
    return code


class Share(click.FloatRange):
    """A number in a range; "nan", which is in none, is refused as well."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value!r} is no number.", param, ctx)
        return found


# Options the commands share ---------------------------------------------------------------------------------


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


# Commands ---------------------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(proofing.__version__, prog_name="proofmark")
def cli() -> None:
    """Proofread answers against their sources: mark the words the sources do not back, with evidence."""


@cli.command()
@answer_options
@reading_options
@json_option
def read(line: Any, job: Any, as_json: bool) -> None:
    """Proofread one answer; one receipt line per mark, weakest first."""
    from proofing.batch import Reader
    from proofing.printing import report_text

    report = Reader(job).report(line)
    click.echo(_json(report.to_dict()) if as_json else report_text(report))


@cli.command()
@answer_options
@reading_options
@json_option
def heal(line: Any, job: Any, as_json: bool) -> None:
    """Print the healed answer and what changed, word by word."""
    from proofing.batch import Reader
    from proofing.printing import healing_text

    report = Reader(job).report(line)
    click.echo(_json(report.to_dict()) if as_json else healing_text(report))


@cli.command()
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
    lines = _shown(scan_answers(path), _length_of(path), "proofreading")
    with _output(out, path) as stream:
        for found in read_all(lines, job, of_report, jobs):
            if isinstance(found, LineFault):
                count += 1
                faults += [found][: NAMED - len(faults)]
                found = json_line(found.to_dict())
            answers += 1
            stream.write(found)
    if not answers:
        click.echo(f"proofmark: there is no answer in {path}", err=True)
    return _said_faults(count, faults)


@cli.command()
@click.argument("path", metavar="LABELLED.jsonl")
@json_option
@jobs_option
@reading_options
def evaluate(path: str, as_json: bool, jobs: int, job: Any) -> int:
    """How well scores and marks agree with labels, each figure with a 95 % interval, per task."""
    from proofing.learning.evaluation import evaluate_scored

    labelled, scores = _scored(path, job, jobs)
    found = evaluate_scored(labelled, scores)
    click.echo(_json(found.to_dict()) if as_json else str(found))
    return _said_faults(len(labelled.faults), labelled.faults)


@cli.command()
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
        show=lambda items, n: _shown(items, n, "reading"),
    )
    if out:
        Path(out).write_text(_json(point.to_dict()) + "\n", encoding="utf-8")
    click.echo(_json(point.to_dict()) if as_json else str(point))
    return _said_faults(len(faults), faults)


@cli.command()
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

    fitted, found, faults = train_file(path, job, name=name, show=lambda items, n: _shown(items, n, "counting"))
    Path(out).write_bytes(fitted.to_bytes())
    click.echo(_json(found.to_dict()) if as_json else str(found))
    return _said_faults(len(faults), faults)


@cli.command()
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
        click.echo(_json(suspicion.to_dict()) if as_json else str(suspicion))
    return _said_faults(len(labelled.faults), labelled.faults)


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


@cli.command()
@click.option("--scenario", type=click.IntRange(1, 5), help="Only this one of the five.")
@click.option("--tier", type=click.Choice(TIERS), default="standard", show_default=True)
def demo(scenario: int | None, tier: str) -> None:
    """Five small failure stories: detected, scored, healed."""
    from proofing.demo import SCENARIOS, run_scenario

    numbers = [scenario] if scenario else range(1, len(SCENARIOS) + 1)
    click.echo("\n\n".join(run_scenario(number, Settings(tier=tier)) for number in numbers))


@cli.command()
def mcp() -> None:
    """Serve the tool `find_unsupported_words` over standard input and output."""
    from proofing.mcp import serve

    serve()


@cli.command(name="import")
@click.option("--format", "form", required=True, help="Format of IN; `proofmark formats` lists them.")
@click.option(
    "--column", "columns", multiple=True, metavar="FIELD=COLUMN", help="Which column of a table fills a field."
)
@click.argument("path", metavar="IN")
@click.argument("out", metavar="OUT")
def import_(form: str, columns: tuple[str, ...], path: str, out: str) -> int:
    """Convert a file (or a folder, where the format is one) to answers/1 lines."""
    from proofing.batch import json_line
    from proofing.exchange.answers import READ_NAMES
    from proofing.exchange.formats import imported
    from proofing.exchange.jsonl import BlankRow, LineFault
    from proofing.exchange.unread import UnreadFields

    mapping = dict(column.partition("=")[::2] for column in columns)
    faults, blank, unread = [], 0, UnreadFields(READ_NAMES)
    with _output(out, path) as stream:
        for record in imported(form, path, mapping or None, unread):
            if isinstance(record, BlankRow):
                blank += 1
            elif isinstance(record, LineFault):
                faults.append(record)
            else:
                stream.write(json_line(record))
    if blank:
        click.echo(f"proofmark: {blank} blank {'row' if blank == 1 else 'rows'} passed over", err=True)
    for name in unread.found():
        click.echo(f"proofmark: a field that is not read: {name}", err=True)
    return _said_faults(len(faults), faults)


@cli.command()
@click.option("--format", "form", required=True, help="Format of OUT; `proofmark formats` lists them.")
@click.argument("path", metavar="IN")
@click.argument("out", metavar="OUT")
def export(form: str, path: str, out: str) -> int:
    """Convert a file of answers/1 or reviews/1 lines to another format. OUT is a folder where the format is one.

    Rows that the format cannot hold are left out; how many, and why, is said on standard error.
    """
    from proofing.exchange.formats import format_named, poured, rows_of_file
    from proofing.exchange.sinks import closing

    chosen = format_named(form, to_write=True)
    rows = _Counted(rows_of_file(path))
    if chosen.folder is not None:
        with _readable(path), closing(chosen.folder(_new_folder(out))) as sink:
            faults = list(poured(rows, sink))
    else:
        with _output(out, path) as stream, closing(chosen.sink(stream)) as sink:  # type: ignore[misc]
            faults = list(poured(rows, sink))
    return _said_left_out(faults, rows.count)


@cli.command()
def formats() -> int:
    """List the formats that `import` reads and `export` writes."""
    from proofing.exchange.formats import FORMATS

    for form in FORMATS.values():
        ways = f"{'in' if form.scan else '':3}{'out' if form.writes else '':4}"
        click.echo(f"{form.name:16} {ways} {form.title}{', a folder' if form.folder else ''}")
    return DONE


cli.add_command(judges)


# Shared by the commands -------------------------------------------------------------------------------------


def _scored(path: str, job: Any, jobs: int) -> tuple[Any, Any]:
    from proofing.learning.labelled import kept, read_labelled, scored

    labelled = read_labelled(path)
    outcomes = _shown(scored(labelled.examples, job, jobs), len(labelled.examples), "proofreading")
    return labelled, kept(labelled, outcomes)


#: So many lines that could not be used are named.
NAMED = 5


def _said_faults(count: int, faults: Sequence[Any] = ()) -> int:
    """Name the first few lines that could not be used; the exit code that goes with them."""
    for fault in faults[:NAMED]:
        click.echo(f"proofmark: {fault.sentence()}", err=True)
    if count:
        click.echo(f"proofmark: {count} {'line' if count == 1 else 'lines'} could not be used", err=True)
    return WITH_FAULTS if count else DONE


class _Counted(Iterator[T]):
    """Items on their way, counted."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self.count = 0

    def __next__(self) -> T:
        item = next(self._items)
        self.count += 1
        return item


def _said_left_out(faults: Sequence[Any], rows: int) -> int:
    """Name the first few rows that an export left out, and how many of all were and why; the exit code."""
    for fault in faults[:NAMED]:
        click.echo(f"proofmark: {fault.sentence()}", err=True)
    if faults:
        reasons = Counter(fault.reason for fault in faults).most_common(NAMED)
        why = ", ".join(f"{reason} ({count})" for reason, count in reasons)
        click.echo(f"proofmark: {len(faults)} of {rows} {'row' if rows == 1 else 'rows'} left out: {why}", err=True)
    return WITH_FAULTS if faults else DONE


def _shown(items: Iterable[T], length: int | None, label: str) -> Iterator[T]:
    """The items, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, length=length, label=label, file=sys.stderr) as bar:
        yield from bar


def _length_of(path: str) -> int | None:
    """Number of lines, for the progress bar; None when it cannot be known before reading."""
    if path == "-" or not sys.stderr.isatty():
        return None
    from proofing.exchange.jsonl import opened

    with opened(path) as stream:
        return sum(1 for line in stream if line.strip())


@contextmanager
def _output(out: str, path: str) -> Iterator[BinaryIO]:
    """The output as bytes; the input is never overwritten, and an input that cannot be read leaves no output."""
    with _readable(path):
        pass
    if path != "-" and Path(out).exists() and Path(out).samefile(path):
        raise BadInput(f"{out} is the input itself; give another file")
    if out == "-":
        yield sys.stdout.buffer
        return
    with open(out, "wb") as stream:
        yield stream


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Raises BadInput when the input is neither a file that can be read nor a folder."""
    from proofing.exchange.jsonl import opened

    if path != "-" and not Path(path).is_dir():
        with opened(path):
            pass
    yield


def _new_folder(out: str) -> Path:
    """The folder to write into.

    Raises:
        BadInput: something is there already.
    """
    folder = Path(out)
    if out == "-" or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise BadInput(f"{out}: give the name of a new or empty folder; this format is more than one file")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot make the folder {out}: {error.strerror or error}") from error
    return folder


def _json(record: Any) -> str:
    from proofing.batch import json_line

    return json_line(record).decode().rstrip("\n")


if __name__ == "__main__":
    main()
