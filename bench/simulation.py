"""3,000 reviewer decisions through the web: labels, a frozen set, a calibration, and does its recall hold afterwards?

    python bench/simulation.py DATA/ragtruth_train.jsonl.gz [--fold 0] [--before 2000] [--after 1000] [--slips 0.05]
        [--tier fast]

The reviewer is the public label of each answer of one fold (``int(group[:8], 16) % 5``), wrong in 5 of 100 decisions
at random. It is fold 0, which no part of the shipped model was fitted on: its last stage knows fold 1. Answers about
one source stand on one side. Everything goes through the site's own doors, in this process and on a database of its
own: answers come in by the API, the worker's tasks proofread them, a reviewer claims and decides them on the desk, a
lead freezes the set, has it calibrated at 0.95 recall and puts the point in force on the pages. Then later answers come
in, are proofread under that point, and are decided as well. Printed is the recall of the point among the later answers:
by those decisions (what a project can see) and by the public labels (what is true).

The support model is the one that ships; docs/model-card.md says what it was fitted on.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

#: Answers in one request.
BATCH = 100
TARGET = 0.95

Line = dict[str, Any]


def fold_lines(path: Path, fold: int, seed: int) -> list[Line]:
    """The answers of one fold, sources in random order, answers about one source together."""
    groups: dict[str, list[Line]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for row in stream:
            line = json.loads(row)
            if int(line["group"][:8], 16) % 5 == fold:
                groups.setdefault(line["group"], []).append(line)
    order = sorted(groups)
    random.Random(seed).shuffle(order)
    return [line for group in order for line in groups[group]]


def prepare(folder: str) -> None:
    """Django on an empty database in `folder`; what is left for the workers is done at once."""
    os.environ |= {
        "DATA_DIR": folder, "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "PROOFMARK_LOG_LEVEL": "ERROR",
    }  # fmt: skip
    import django
    from django.conf import settings
    from django.core.management import call_command

    settings.CELERY_TASK_ALWAYS_EAGER = True
    settings.ALLOWED_HOSTS = ["testserver"]
    django.setup()
    call_command("migrate", verbosity=0)


class Site:
    """The project with a program that brings answers in, a reviewer and a lead."""

    def __init__(self, tier: str) -> None:
        from django.test import Client

        from webapp.accounts.models import Membership, User
        from webapp.accounts.services import create_token
        from webapp.records.models import Project
        from webapp.review.models import Queue

        self.project = Project.objects.create(name="Simulation", slug="simulation", tier=tier)
        self.queue = Queue.objects.create(project=self.project, name="All", audit_share=0.0)
        _, secret = create_token(project=self.project, name="pipeline")
        self.program = Client(headers={"Authorization": f"Bearer {secret}"})
        self.people = {}
        for name in ("reviewer", "lead"):
            user = User.objects.create_user(name)
            Membership.objects.create(project=self.project, user=user, role=name)
            self.people[name] = Client()
            self.people[name].force_login(user)

    def bring_in(self, lines: Iterable[Line]) -> None:
        """Answers by the API; each is proofread when it has come in."""
        keep = ("question", "answer", "sources", "task", "model")
        rows = [{name: line[name] for name in keep if line.get(name)} | {"external_id": line["id"]} for line in lines]
        for start in range(0, len(rows), BATCH):
            body = json.dumps({"answers": rows[start : start + BATCH]})
            taken = self.program.post("/api/v1/answers", body, content_type="application/json")
            assert taken.status_code < 300, taken.text[:500]
            progress(min(start + BATCH, len(rows)), len(rows), "proofread")

    def decide_all(self, label_of: dict[str, int]) -> dict[str, int]:
        """Decide whatever waits as the labels say; the decisions by external id."""
        from webapp.review.models import Item

        desk, said = self.people["reviewer"], {}
        page = desk.post(f"/queues/{self.queue.pk}/next/")
        while match := re.search(r"/items/([0-9a-f-]{36})/", page.url if page.status_code == 302 else ""):
            key = Item.objects.values_list("answer__external_id", flat=True).get(pk=match[1])
            said[key] = label_of[key]
            form = {"kind": "reject" if label_of[key] else "keep", "request_key": f"{match[1]}-simulated"}
            page = desk.post(f"/items/{match[1]}/decide/", form)
            progress(len(said), len(label_of), "decided")
        return said

    def calibrate(self) -> dict[str, Any]:
        """Freeze, fit and put in force, on the pages a lead uses; the point's figures."""
        from webapp.calibration.models import CalibrationRun

        lead = self.people["lead"]
        made = lead.post("/sets/", {"name": "Before", "project": self.project.slug})
        assert made.status_code == 302, made.text[:2000]
        lead.post(made.url, {"target_recall": str(TARGET), "level": "answer"})
        run = CalibrationRun.objects.get()
        assert run.state == "done", run.refusal
        lead.post(f"/runs/{run.pk}/choose/", {"reason": "simulation"})
        return run.result


def progress(done: int, total: int, what: str) -> None:
    if done % BATCH == 0 or done == total:
        print(f"\r{what} {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def flagged() -> Iterator[tuple[str, bool]]:
    """External id and whether it stands above the point, of the answers that were proofread under it."""
    from webapp.records.models import Inspection

    rows = Inspection.objects.values_list("answer__external_id", "report__calibration").iterator()
    yield from ((key, judged["above"]) for key, judged in rows if judged)


def shown(name: str, above: dict[str, bool], labels: dict[str, int], point: dict[str, Any]) -> bool:
    """Print recall and false-positive rate by these labels; whether the point's recall interval covers the recall."""
    from proofing.learning.calibrate import Share

    shares = {
        kind: Share.of(
            sum(above[key] for key in above if labels[key] == kind), sum(labels[key] == kind for key in above)
        )
        for kind in (1, 0)
    }
    low, high = point["recall"]["interval"]
    covers = low <= shares[1].value <= high
    print(f"  {name:<34} recall {shares[1]} of {shares[1].total}, false alarms {shares[0]} of {shares[0].total}"
          f"{'' if covers else '  (recall outside the interval of the point)'}")  # fmt: skip
    return covers


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    options.add_argument("--fold", type=int, default=0, choices=range(5))
    options.add_argument("--before", type=int, default=2000)
    options.add_argument("--after", type=int, default=1000)
    options.add_argument("--slips", type=float, default=0.05)
    options.add_argument("--tier", default="fast", choices=["fast", "standard", "deep"])
    options.add_argument("--seed", type=int, default=20)
    chosen = options.parse_args()
    lines = fold_lines(chosen.data, chosen.fold, chosen.seed)[: chosen.before + chosen.after]
    cut = chosen.before
    while cut < len(lines) and lines[cut]["group"] == lines[cut - 1]["group"]:
        cut += 1
    truth = {line["id"]: int(line["label"]) for line in lines}
    rng = random.Random(chosen.seed)
    decided = {key: label ^ (rng.random() < chosen.slips) for key, label in truth.items()}
    started = time.process_time()
    with tempfile.TemporaryDirectory(prefix="proofmark-simulation-") as folder:
        prepare(folder)
        site = Site(chosen.tier)
        site.bring_in(lines[:cut])
        first = site.decide_all({line["id"]: decided[line["id"]] for line in lines[:cut]})
        point = site.calibrate()
        site.bring_in(lines[cut:])
        later = site.decide_all({line["id"]: decided[line["id"]] for line in lines[cut:]})
        above = dict(flagged())
    assert set(above) == set(later)
    slips = sum(decided[key] != truth[key] for key in [*first, *later])
    print(
        f"{len(first) + len(later)} decisions, {slips} of them slips; set of {point['n']}, {point['n_positive']} faulty"
    )
    for name in ("fpr", "recall", "held_out_fpr", "held_out_recall"):
        low, high = point[name]["interval"]
        print(f"  {name:<16} {point[name]['value']:.3f} ({low:.3f}-{high:.3f})")
    print(f"  threshold        {point['threshold']:.4f}")
    print(f"{len(above)} later answers of other sources, proofread under the point")
    covers = shown("by the reviewer's later decisions", above, decided, point)
    shown("by the public labels", above, truth, point)
    print(f"{time.process_time() - started:.0f} s of processor time, tier {chosen.tier}")
    raise SystemExit(0 if covers else 1)


if __name__ == "__main__":
    main()
