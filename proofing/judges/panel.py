"""Asking judges: several at once within limits, with time-outs, repeats, budgets, a cache, and a way to call it off."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from proofing.judges.cache import MemoryCache, VoteCache
from proofing.judges.configuration import Judge
from proofing.judges.endpoint import Endpoint, Reply, Unanswered
from proofing.judges.prompt import messages, vote_key
from proofing.judges.verdicts import Verdict, is_echo, json_verdict, plain_verdict
from proofing.judges.votes import CANCELLED, FAILED, INVALID, OVER_BUDGET, VALID, Case, Vote

if TYPE_CHECKING:
    from collections.abc import Awaitable

    Sleep = Callable[[float], Awaitable[None]]

#: Seconds between two looks at whether a run was called off.
GLANCE = 0.1


@dataclass(slots=True)
class Spent:
    """What one judge has cost so far: requests sent and money in the currency of its prices."""

    requests: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class _Seat:
    """One judge at work: its endpoint, what it has spent, how many votes failed one after another."""

    judge: Judge
    endpoint: Endpoint
    spent: Spent
    next_case: int = 0
    failed_in_a_row: int = 0

    def may_spend(self) -> bool:
        judge, spent = self.judge, self.spent
        requests_left = judge.budget_requests is None or spent.requests < judge.budget_requests
        return requests_left and (judge.budget_cost is None or spent.cost < judge.budget_cost)


@dataclass(slots=True)
class _Tally:
    """What one vote has taken so far, over all its requests."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    latency_ms: float = 0.0

    def add(self, reply: Reply, judge: Judge) -> None:
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.cost += judge.cost_of(reply.tokens_in, reply.tokens_out)
        self.latency_ms += reply.latency_ms

    def vote(
        self, judge: Judge, outcome: str, *, fault: str = "", verdict: Verdict | None = None, form: str = ""
    ) -> Vote:
        said = verdict or Verdict(False)
        return Vote(
            judge.name, outcome, said.unsupported if verdict else None, said.reason, said.words, form, fault,
            self.requests, self.tokens_in, self.tokens_out, round(self.cost, 9), round(self.latency_ms, 3),
        )  # fmt: skip


@dataclass(slots=True)
class Panel:
    """Judges that can be asked about answers.

    Attributes:
        judges: who is asked, in this order.
        cache: where votes are kept; the process' memory unless given.
        environ: where keys come from.
        spent: what each judge (by name) has spent before, counted towards its budget; goes on counting.
        sleep: how pauses are made; tests put their own in.
    """

    judges: Sequence[Judge]
    cache: VoteCache = field(default_factory=MemoryCache)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    spent: dict[str, Spent] = field(default_factory=dict)
    sleep: Sleep = asyncio.sleep

    def ask(self, case: Case) -> list[Vote]:
        """What each judge says of one answer, in the order of the judges."""
        return self.ask_all([case])[0]

    def ask_all(
        self,
        cases: Sequence[Case],
        *,
        done: Callable[[int, list[Vote]], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> list[list[Vote]]:
        """The votes on each case, one per judge in the order of the judges.

        A judge that fails leaves a vote that says so; nothing is raised for it. Each judge works through the cases
        with its own number of requests under way, so a slow one holds up none of the others.

        Args:
            done: called with the place of a case and its votes once the last of them is in.
            cancelled: asked about ten times a second; once it says True, requests under way are dropped and what
                was not answered comes back as ``cancelled``.

        Raises:
            BadInput: the client library is not installed.
        """
        from proofing.judges.endpoint import check_installed

        check_installed()
        work = _Work(self, cases, done, cancelled)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(work.run())
        with ThreadPoolExecutor(1) as aside:  # this thread has a loop of its own already
            return aside.submit(asyncio.run, work.run()).result()


class _Work:
    """One run over some cases."""

    def __init__(
        self,
        panel: Panel,
        cases: Sequence[Case],
        done: Callable[[int, list[Vote]], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.panel = panel
        self.cases = cases
        self.done = done
        self.cancelled = cancelled
        self.votes: list[list[Vote | None]] = [[None] * len(panel.judges) for _ in cases]

    async def run(self) -> list[list[Vote]]:
        seats = [self._seated(judge) for judge in self.panel.judges]
        try:
            workers = [
                asyncio.create_task(self._serve(place, seat))
                for place, seat in enumerate(seats)
                for _ in range(min(seat.judge.concurrency, max(len(self.cases), 1)))
            ]
            await self._until_done(workers)
        finally:
            for seat in seats:
                await seat.endpoint.close()
        return [
            [vote or Vote(judge.name, CANCELLED) for vote, judge in zip(row, self.panel.judges, strict=True)]
            for row in self.votes
        ]

    def _seated(self, judge: Judge) -> _Seat:
        spent = self.panel.spent.setdefault(judge.name, Spent())
        return _Seat(judge, Endpoint(judge, self.panel.environ, self.panel.sleep), spent)

    async def _until_done(self, workers: list[asyncio.Task[None]]) -> None:
        waiting = set(workers)
        try:
            while waiting:
                ended, waiting = await asyncio.wait(
                    waiting, timeout=GLANCE if self.cancelled else None, return_when=asyncio.FIRST_EXCEPTION
                )
                for task in ended:
                    task.result()  # a fault of ours is raised, not lost
                if self.cancelled is not None and self.cancelled():
                    return
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def _serve(self, place: int, seat: _Seat) -> None:
        """One of a judge's workers: takes the next case nobody has taken until there is none."""
        while seat.next_case < len(self.cases):
            at = seat.next_case
            seat.next_case += 1
            vote = await self._vote(seat, self.cases[at])
            row = self.votes[at]
            row[place] = vote
            if self.done is not None and all(said is not None for said in row):
                self.done(at, [said for said in row if said is not None])

    async def _vote(self, seat: _Seat, case: Case) -> Vote:
        judge = seat.judge
        key = vote_key(case, judge)
        known = self.panel.cache.get(key)
        if known is not None:
            return replace(known, judge=judge.name, requests=0, cost=0.0, cached=True)
        if seat.failed_in_a_row >= judge.give_up_after:
            return Vote(judge.name, FAILED, fault="away")
        vote = await _asked(seat, case)
        seat.failed_in_a_row = seat.failed_in_a_row + 1 if vote.outcome == FAILED else 0
        if vote.lasting:
            self.panel.cache.put(key, vote)
        return vote


async def _asked(seat: _Seat, case: Case) -> Vote:
    """Ask for a JSON verdict, and once more for a plain yes or no when it is none."""
    judge, tally = seat.judge, _Tally()
    length = len(case.question) + len(case.answer) + sum(len(source.text) for source in case.sources)
    if length > judge.max_input_chars:
        return tally.vote(judge, INVALID, fault="too_long")
    try:
        first = await _reply(seat, tally, case, plain=False)
        if is_echo(first, case):
            return tally.vote(judge, INVALID, fault="echo")
        verdict = json_verdict(first)
        if verdict is not None:
            return tally.vote(judge, VALID, verdict=verdict, form="json")
        again = await _reply(seat, tally, case, plain=True)
    except Unanswered as problem:
        outcome = OVER_BUDGET if problem.fault == "budget" else FAILED
        return tally.vote(judge, outcome, fault=problem.fault)
    verdict = None if is_echo(again, case) else plain_verdict(again)
    if verdict is None:
        return tally.vote(judge, INVALID, fault="no_verdict")
    return tally.vote(judge, VALID, verdict=verdict, form="plain")


async def _reply(seat: _Seat, tally: _Tally, case: Case, *, plain: bool) -> str:
    """One reply's text; its requests and its cost are counted where they arise.

    Raises:
        Unanswered: no reply came, for the reason given.
    """

    def sending() -> None:
        if not seat.may_spend():
            raise Unanswered("budget")
        seat.spent.requests += 1
        tally.requests += 1

    reply = await seat.endpoint.reply(messages(case, seat.judge, plain=plain), sending)
    before = tally.cost
    tally.add(reply, seat.judge)
    seat.spent.cost += tally.cost - before
    return reply.text
