"""Many answers, one after the other or in several processes, always in the order they came.

Each process sets itself up once (settings, models); what it returns depends on the line alone, so one process and
eight give the same bytes. Only a window of lines is in flight, so memory does not grow with the file.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from proofing.errors import BadInput, ProofingError
from proofing.exchange.answers import AnswerLine
from proofing.exchange.jsonl import LineFault
from proofing.report import Report
from proofing.settings import Settings

#: Lines handed to a process at a time, and how many such handfuls wait per process.
HANDFUL, WAITING = 4, 4
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job:
    """How answers are to be read: everything besides the answer itself.

    Attributes:
        model: path of a fitted support model; None = the one that ships.
        point: an operating point of level ``answer`` as a dict, put beside every score.
        history: path of a drift history; then answers are read one by one, for drift depends on their order.
    """

    settings: Settings = field(default_factory=Settings)
    model: str | None = None
    point: Mapping[str, Any] | None = None
    history: str | None = None


class Reader:
    """Reads answers for one process: model and history are opened once, when first needed."""

    def __init__(self, job: Job) -> None:
        from proofing.history import History

        self.job = job
        self.history = History(job.history) if job.history else None
        self.model = None
        if job.model:
            from proofing.learning.model import SupportModel

            self.model = SupportModel.load(job.model)

    def report(self, line: AnswerLine) -> Report:
        """Inspect, heal and score one answer; its own locale wins over the job's.

        Raises:
            BadInput: the answer or a source is beyond the limits.
        """
        from proofing.pipeline import proofread_whole

        settings = self.job.settings if line.locale is None else replace(self.job.settings, locale=line.locale)
        return proofread_whole(
            line.question,
            line.sources,
            line.answer,
            settings=settings,
            history=self.history,
            model=self.model,
            latency_ms=line.latency_ms,
            id=line.id,
            point=self.job.point,
        )


def read_all(
    items: Iterable[AnswerLine | LineFault], job: Job, of_report: Callable[[AnswerLine, Report], T], jobs: int = 1
) -> Iterator[T | LineFault]:
    """What `of_report` makes of each answer, in order; a line that cannot be used comes as its fault, in its place.

    Args:
        items: lines and faults as `scan_answers` yields them.
        of_report: a module-level function (it travels to other processes).
        jobs: how many processes; 1 = this one.
    """
    work = partial(_outcome, of_report)
    if jobs <= 1 or job.history:
        reader = Reader(job)
        yield from (work(reader, item) for item in items)
        return
    with ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_set_up, initargs=(job,)) as pool:
        waiting: deque[Future[list[T | LineFault]]] = deque()
        for handful in _handfuls(items):
            waiting.append(pool.submit(_work, work, handful))
            if len(waiting) >= jobs * WAITING:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _context() -> multiprocessing.context.BaseContext:
    """Fork where it is safe (this process has loaded no library with threads of its own), else a fresh start."""
    heavy = ("torch", "onnxruntime", "numpy", "spacy")
    can_fork = sys.platform == "linux" and not any(name in sys.modules for name in heavy)
    return multiprocessing.get_context("fork" if can_fork else "spawn")


#: The reader of this process, set once by the pool before its first handful.
_own: list[Reader] = []


def _set_up(job: Job) -> None:
    _own[:] = [Reader(job)]


def _work(work: Callable[[Reader, AnswerLine | LineFault], T], handful: list[AnswerLine | LineFault]) -> list[T]:
    return [work(_own[0], item) for item in handful]


def _outcome(
    of_report: Callable[[AnswerLine, Report], T], reader: Reader, item: AnswerLine | LineFault
) -> T | LineFault:
    if isinstance(item, LineFault):
        return item
    try:
        return of_report(item, reader.report(item))
    except ProofingError as error:
        return LineFault(str(error), line=item.line, id=item.id)
    except Exception as error:  # one answer must not end a batch of thousands
        return LineFault(f"internal error ({type(error).__name__}: {error})", line=item.line, id=item.id)


def _handfuls(items: Iterable[T]) -> Iterator[list[T]]:
    handful: list[T] = []
    for item in items:
        handful.append(item)
        if len(handful) == HANDFUL:
            yield handful
            handful = []
    if handful:
        yield handful


def report_json(line: AnswerLine, report: Report) -> bytes:
    """One report as a JSON line, without timings: the same answer gives the same bytes."""
    return json_line({**report.to_dict(), "timings_ms": {}})


def timed_report_json(line: AnswerLine, report: Report) -> bytes:
    """One report as a JSON line, with its timings."""
    return json_line(report.to_dict())


def json_line(record: Mapping[str, Any]) -> bytes:
    """One JSON object as UTF-8 with a line feed.

    Raises:
        BadInput: it holds a number that JSON cannot carry.
    """
    try:
        return json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except ValueError as error:
        raise BadInput(f"the report cannot be written as JSON: {error}") from error
