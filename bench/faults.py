"""What each fault does to a file of answers on its way: real processes, killed and restarted; prints a table.

    python bench/faults.py                          # every fault, 300 answers each
    python bench/faults.py --only poison clock --answers 100
    python bench/faults.py --only versions --old v0.1.0     # which earlier version works beside this one

PostgreSQL (a cluster of its own under a temporary folder), Redis, workers and reaper are started for each fault. Lost:
answers without a result in the end. Doubled: results, queue entries or events beyond one an answer. Seconds: from the
harm until the whole file is through; the line "nothing" says what that takes without harm. Waiting times are those of
the tests (`tests/services/stage.py`): abandoned after 8 s, redelivered after 10 s, reaped every 2 s.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCH = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from faults_site import Seen, backup_restored, disk_full, through, two_versions, web_killed  # noqa: E402

from tests.services.stage import Stage, kill, write_answers  # noqa: E402


class Services:
    """A PostgreSQL cluster and a Redis of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [_free_port(), _free_port()]
        self.programs = _postgres_programs()
        self.user = "postgres" if os.geteuid() == 0 else ""
        cluster = folder / "cluster"
        cluster.mkdir()
        if self.user:
            shutil.chown(folder, self.user)
            shutil.chown(cluster, self.user)
        self._as("initdb", "-D", str(cluster), "-U", "postgres", "-A", "trust", "--no-sync")
        self.postgres("start")
        self.redis: subprocess.Popen[bytes] | None = None
        self.start_redis()

    def _as(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=self.user or None, cwd=self.folder)

    def postgres(self, action: str, mode: str = "fast") -> None:
        options = f"-p {self.ports[0]} -k {self.folder} -c listen_addresses=127.0.0.1"
        log = str(self.folder / "cluster" / "log.txt")
        self._as("pg_ctl", "-D", str(self.folder / "cluster"), "-l", log, "-m", mode, "-w", "-o", options, action)

    def start_redis(self, *, empty: bool = False) -> None:
        kept = self.folder / "redis"
        if empty:
            shutil.rmtree(kept)
        kept.mkdir(exist_ok=True)
        options = ["--port", str(self.ports[1]), "--bind", "127.0.0.1", "--dir", str(kept), "--appendonly", "yes"]
        self.redis = subprocess.Popen(["redis-server", *options, "--save", ""], stdout=subprocess.DEVNULL)
        time.sleep(0.5)

    def kill_redis(self) -> None:
        assert self.redis
        self.redis.kill()
        self.redis.wait()

    def stage(self, name: str = "site", database: str = "postgres", *, migrate: bool = True) -> Stage:
        folder = self.folder / name
        folder.mkdir()
        if database != "postgres":
            self._as("createdb", "-h", "127.0.0.1", "-p", str(self.ports[0]), "-U", "postgres", database)
        url = f"postgres://postgres@127.0.0.1:{self.ports[0]}/{database}"
        stage = Stage(folder, DATABASE_URL=url, REDIS_URL=f"redis://127.0.0.1:{self.ports[1]}/0")
        stage.environment["PYTHONPATH"] = str(BENCH)
        if migrate:
            stage.manage("migrate", "--verbosity", "0")
        return stage

    def close(self) -> None:
        self.kill_redis()
        self.postgres("stop", "immediate")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _postgres_programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [Path(shutil.which("initdb") or "")]
    if not found[-1].is_file():
        raise SystemExit("no initdb: install PostgreSQL's server programs")
    return found[-1].resolve().parent


# Faults: each gets the services, the stage and its workers, and does its harm half-way -------------------------------


def worker_killed(services: Services, stage: Stage) -> None:
    kill(stage.processes[0])
    stage.worker("again")


def redis_killed(services: Services, stage: Stage) -> None:
    services.kill_redis()
    services.start_redis()


def redis_emptied(services: Services, stage: Stage) -> None:
    services.kill_redis()
    services.start_redis(empty=True)


def postgres_restarted(services: Services, stage: Stage) -> None:
    services.postgres("restart", "immediate")


def delivered_twice(services: Services, stage: Stage) -> None:
    """Every answer's message once more, those that are through and those that are not."""
    code = (
        "from webapp.intake.outbox import enqueue; from webapp.records.models import Answer\n"
        "for pk in Answer.objects.values_list('pk', flat=True): enqueue(pk, 'bulk')"
    )
    stage.manage("shell", "--no-imports", "-c", code)


def nothing(services: Services, stage: Stage) -> None:
    """The harm is in the workers."""


FAULTS: dict[str, tuple[str, str, Callable[[Services, Stage], None]]] = {
    "none": ("nothing, for comparison", "", nothing),
    "worker": ("worker killed (SIGKILL)", "", worker_killed),
    "aof": ("Redis killed, started with its append-only file", "", redis_killed),
    "empty": ("Redis killed, started empty", "", redis_emptied),
    "postgres": ("PostgreSQL restarted at once (immediate) mid-import", "", postgres_restarted),
    "twice": ("every message delivered twice", "", delivered_twice),
    "poison": ("one answer kills whoever reads it", "poison", nothing),
    "slow": ("one answer takes 12 s, abandoned after 8", "slow", nothing),
    "clock": ("one worker's clock an hour late, one an hour early", "late early", nothing),
    "missing": ("no model, three attempts each", "missing", nothing),
}


#: Faults with a way of their own, see `faults_site`.
OF_THE_SITE: dict[str, tuple[str, Callable[..., Seen]]] = {
    "web": ("web killed (SIGKILL) while a program posts answers", web_killed),
    "disk": ("disk of the exports full", disk_full),
    "versions": ("a worker of an earlier version beside one of this", two_versions),
    "backup": ("backup mid-import, everything lost, restored elsewhere", backup_restored),
}


def suffer(name: str, count: int, old: str) -> str:
    """Do one fault to `count` answers; its line of the table."""
    with tempfile.TemporaryDirectory(prefix="proofmark-faults-") as folder:
        Path(folder).chmod(0o755)
        services = Services(Path(folder))
        try:
            if name in FAULTS:
                title, seen = FAULTS[name][0], _of_an_import(name, services, Path(folder), count)
            else:
                title, act = OF_THE_SITE[name]
                seen = act(services, Path(folder), count, *([old] if name == "versions" else []))
        finally:
            services.close()
    return _line(title, seen, count)


def _of_an_import(name: str, services: Services, folder: Path, count: int) -> Seen:
    _, harm, happen = FAULTS[name]
    stage = services.stage()
    try:
        path = write_answers(folder / "answers.jsonl", count)
        if harm in ("poison", "slow"):
            lines = path.read_text().splitlines()
            lines[count // 2] = lines[count // 2].replace("is kept for", f"({harm.upper()}) is kept for")
            path.write_text("\n".join(lines) + "\n")
        for number in range(2):
            harms = harm.split()
            stage.environment["HARM"] = harms[number % len(harms)] if harms else ""
            options = ["--queues", "interactive,bulk", "--concurrency", "1", "--hostname", f"w{number}@%h"]
            stage.start(f"w{number}", sys.executable, "-m", "celery", "-A", "webapp", "worker", *options,
                        *(["--include", "harm"] if harm else []))  # fmt: skip
        stage.environment["HARM"] = ""
        stage.reaper()
        stage.import_file(path)
        stage.wait_for(lambda seen: seen["answers"] >= count // 2, seconds=300)
        begun = time.monotonic()
        happen(services, stage)
        ledger = stage.wait_for(through(count), seconds=600)
        return Seen(ledger, time.monotonic() - begun, "")
    finally:
        stage.close()


def _line(title: str, seen: Seen, count: int) -> str:
    counts = seen.ledger
    lost = count - counts["proofread"] - counts["failed"]
    doubled = sum(counts[key] - counts["proofread"] for key in ("inspections", "healings", "items", "proofread events"))
    doubled += counts["answers"] - count + counts["observations"] - count
    happened = f"{seen.happened}{counts['proofread']} proofread, {counts['failed']} failed and shown"
    return f"| {title} | {happened} | {lost} | {doubled} | {seen.seconds:.0f} |"


EVERY = [*FAULTS, *OF_THE_SITE]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=300)
    parser.add_argument("--only", nargs="+", choices=EVERY, default=EVERY)
    parser.add_argument("--old", default="HEAD~50", help="the revision of the earlier version")
    given = parser.parse_args()
    print("| fault | what happened | lost | doubled | seconds until all were through |\n|---|---|---|---|---|")
    bad = 0
    for name in given.only:
        try:
            line = suffer(name, given.answers, given.old)
        except AssertionError as error:
            line = f"| {(FAULTS | OF_THE_SITE)[name][0]} | DID NOT RECOVER: {str(error)[:300]} | | | |"
        bad += "| 0 | 0 |" not in line
        print(line, flush=True)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
