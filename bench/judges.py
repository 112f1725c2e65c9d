"""What judges add: consensus against the best single one, stacked with the engine, and in the label audit.

    python -m bench.judges --data DIR --out docs/judges-bench.md

Judges are simulated, so that their error rates are known: each says unsupported with its own probability on faulty
answers (its hit rate) and on right ones (its false-alarm rate). Correlated ones share their luck: a Gaussian copula,
in which two judges' latent draws have the correlation given, and a second shared part that hangs on how hard the answer
is for the engine. The engine's support model was fitted on folds 2-4; everything here is read on fold 1.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist, mean

from proofing.batch import Job
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.exchange.reviews import LabelledAnswer
from proofing.judges.auditing import heard_on_labels
from proofing.judges.consensus import consensus_of
from proofing.judges.stacking import held_out
from proofing.judges.votes import Vote
from proofing.learning.audit import Suspicion, suspicious_labels
from proofing.learning.labelled import Labelled, Scored, kept, scored
from proofing.learning.metrics import evaluate
from proofing.settings import Settings

FOLD = 1
NORMAL = NormalDist()
DRAWS = 20


@dataclass(frozen=True, slots=True)
class Simulated:
    """A judge by its rates: says unsupported on this share of the faulty and of the right answers."""

    name: str
    hits: float
    alarms: float


#: Rates of the kind that small to middling models show on tasks like this one.
FIVE = (
    Simulated("a", 0.72, 0.22),
    Simulated("b", 0.65, 0.18),
    Simulated("c", 0.60, 0.25),
    Simulated("d", 0.55, 0.20),
    Simulated("e", 0.70, 0.35),
)


def votes_of(
    panel: Sequence[Simulated], labels: Sequence[int], engine: Sequence[float], *, shared: float, hard: float, seed: str
) -> list[list[Vote]]:
    """Votes on each answer.

    Args:
        shared: correlation of two judges' latent draws, 0-1, given the label.
        hard: how much of that shared part is the engine's own view of the answer (0 = unrelated luck, 1 = judges err
            where the engine errs).
    """
    draw = random.Random(seed)
    order = sorted(range(len(engine)), key=lambda i: engine[i])
    of_class = {label: [i for i in order if labels[i] == label] for label in (0, 1)}
    rank = {i: NORMAL.inv_cdf((place + 0.5) / len(own)) for own in of_class.values() for place, i in enumerate(own)}
    out = []
    for i, label in enumerate(labels):
        common = hard**0.5 * rank[i] + (1 - hard) ** 0.5 * draw.gauss(0, 1)
        row = []
        for judge in panel:
            latent = shared**0.5 * common + (1 - shared) ** 0.5 * draw.gauss(0, 1)
            says = latent > NORMAL.inv_cdf(1 - (judge.hits if label else judge.alarms))
            row.append(Vote(judge.name, "valid", says))
        out.append(row)
    return out


def auroc(scores: Sequence[float], labels: Sequence[int]) -> float:
    ranked = sorted(range(len(scores)), key=lambda i: scores[i])
    ranks = [0.0] * len(scores)
    at = 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and scores[ranked[end]] == scores[ranked[at]]:
            end += 1
        for place in range(at, end):
            ranks[ranked[place]] = (at + end + 1) / 2
        at = end
    positive = sum(labels)
    total = sum(rank for rank, label in zip(ranks, labels, strict=True) if label)
    return (total - positive * (positive + 1) / 2) / (positive * (len(labels) - positive))


# Consensus and stacking ---------------------------------------------------------------------------------------


def consensus_rows(labelled: Labelled, scores: Sequence[Scored], count: int) -> list[str]:
    """Mean AUROC over draws of judges and of the answers they are asked about."""
    engine = [score.probability for score in scores]
    labels, groups = labelled.labels, labelled.groups()
    rows = []
    for title, size, shared, hard in (
        ("1 judge", 1, 0.0, 0.0),
        ("3, independent", 3, 0.0, 0.0),
        ("5, independent", 5, 0.0, 0.0),
        ("5, correlated 0.3", 5, 0.3, 0.0),
        ("5, correlated 0.6", 5, 0.6, 0.0),
        ("5, correlated 0.9", 5, 0.9, 0.0),
        ("5, correlated 0.6, erring where the engine errs", 5, 0.6, 0.8),
    ):
        figures: list[tuple[float, ...]] = []
        for draw in range(DRAWS):
            chosen = _drawn(labelled.lines, count, f"{draw}")
            own, truth = [engine[i] for i in chosen], [labels[i] for i in chosen]
            panel = FIVE[:size]
            votes = votes_of(panel, truth, own, shared=shared, hard=hard, seed=f"{title} {draw}")
            shares = [consensus_of(row, least=1).share or 0.0 for row in votes]
            single = max(auroc([float(bool(row[j].unsupported)) for row in votes], truth) for j in range(size))
            both = held_out(own, votes, truth, [groups[i] for i in chosen])
            figures.append((auroc(own, truth), single, auroc(shares, truth), auroc(both, truth)))
        means = [mean(column) for column in zip(*figures, strict=True)]
        gains = sorted(row[3] - row[0] for row in figures)
        low, high = gains[0], gains[-1]
        cells = " | ".join(f"{value:.3f}" for value in means)
        rows.append(f"| {title} | {cells} | {means[3] - means[0]:+.3f} ({low:+.3f} to {high:+.3f}) |")
        print(rows[-1], flush=True)
    return rows


def _drawn(lines: Sequence[AnswerLine], most: int, salt: str) -> list[int]:
    def rank(i: int) -> str:
        return hashlib.sha256(f"judges {salt} {lines[i].group} {lines[i].answer}".encode()).hexdigest()

    return sorted(sorted(range(len(lines)), key=rank)[:most])


# The label audit ----------------------------------------------------------------------------------------------


def audit_rows(labelled: Labelled, scores: Sequence[Scored], share: float, top: int) -> list[str]:
    """Precision of the first `top` listed labels where a known share was flipped; means over five draws of flips."""
    rows = []
    panels = {
        "the engine alone": None,
        "and 3 judges, correlated 0.3": (3, 0.3),
        "and 5 judges, independent": (5, 0.0),
        "and 5 judges, correlated 0.6": (5, 0.6),
    }
    truth = labelled.labels
    for title, panel in panels.items():
        found = []
        for draw in range(5):
            flipped = set(random.Random(f"flip {draw}").sample(range(len(truth)), round(share * len(truth))))
            stored = [label ^ (i in flipped) for i, label in enumerate(truth)]
            copy = Labelled(
                [_relabelled(e, i, s) for i, (e, s) in enumerate(zip(labelled.examples, stored, strict=True))]
            )
            heard = None
            if panel is not None:
                engine = [score.probability for score in scores]
                votes = votes_of(FIVE[: panel[0]], truth, engine, shared=panel[1], hard=0.0, seed=f"audit {draw}")
                heard = heard_on_labels(engine, votes, stored, copy.groups())
            listed = suspicious_labels(copy, scores, least=0.0, heard=heard)
            found.append(_precision(listed, flipped, top))
        low, high = min(found), max(found)
        wrong = round(share * len(truth))
        caught = mean(found) * top / wrong
        figures = f"{mean(found):.2f} ({low:.2f} to {high:.2f}) | {caught:.0%} | {mean(found) / share:.1f}"
        rows.append(f"| {title} | {figures} |")
        print(rows[-1], flush=True)
    return rows


def _relabelled(example: LabelledAnswer, place: int, label: int) -> LabelledAnswer:
    return replace(example, line=replace(example.line, label=label, line=place))


def _precision(listed: Sequence[Suspicion], flipped: set[int], top: int) -> float:
    return sum(one.line.line in flipped for one in listed[:top]) / top


# The page -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with ragtruth_train.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scores", type=Path, help="keep the engine's scores here, and take them from here")
    parser.add_argument("--model", help="a support model not fitted on fold 1; the one that ships is one")
    parser.add_argument("--tier", default="fast")
    parser.add_argument("--answers", type=int, default=300, help="answers put before judges in one draw")
    parser.add_argument("--limit", type=int, help="read at most this many answers of the fold, drawn by hash")
    options = parser.parse_args(arguments)
    path = options.data / "ragtruth_train.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; --data must hold it")
    lines = [line for line in read_answers(path) if int(line.group[:8], 16) % 5 == FOLD]
    if options.limit:
        lines = [lines[i] for i in _drawn(lines, options.limit, "fold")]
    labelled = Labelled([LabelledAnswer(line, "given") for line in lines])
    scores = _scores(labelled, options)
    own = evaluate([s.probability for s in scores], labelled.labels, cut=0.5, groups=labelled.groups())["auroc"]
    print(f"{len(scores)} answers, engine {own}", flush=True)
    consensus = consensus_rows(labelled, scores, options.answers)
    audit = audit_rows(labelled, scores, 0.05, 100)
    flipped = round(0.05 * len(scores))
    page = PAGE.format(
        limit=f" --limit {options.limit}" if options.limit else "", tier=options.tier, n=len(scores),
        faulty=sum(labelled.labels), own=own, answers=options.answers, draws=DRAWS, consensus="\n".join(consensus),
        judges="; ".join(f"{j.name} {j.hits:.2f} / {j.alarms:.2f}" for j in FIVE), audit="\n".join(audit),
        flipped=flipped, ceiling=min(flipped / 100, 1.0),
    )  # fmt: skip
    options.out.write_text(page, encoding="utf-8")
    print(f"wrote {options.out}")


def _scores(labelled: Labelled, options: argparse.Namespace) -> list[Scored]:
    known: dict[str, float] = {}
    if options.scores and options.scores.exists():
        with gzip.open(options.scores, "rt", encoding="utf-8") as stream:
            known = json.load(stream)
    keys = labelled.keys()
    missing = Labelled([e for e, key in zip(labelled.examples, keys, strict=True) if key not in known])
    fresh = kept(missing, list(scored(missing.examples, Job(Settings(tier=options.tier), options.model))))
    known.update({key: score.probability for key, score in zip(missing.keys(), fresh, strict=True)})
    if options.scores:
        with gzip.open(options.scores, "wt", encoding="utf-8") as stream:
            json.dump(known, stream)
    return [Scored(known[key], 0.5) for key in keys]


PAGE = """# What judges add, simulated

Written by `python -m bench.judges --data DIR --tier {tier}{limit} --out docs/judges-bench.md`; do not edit by hand.

Answers: RAGTruth, training split, fold 1, {n} of them ({faulty} faulty); the engine's support model was fitted on
folds 2–4. On all of them the engine's AUROC is {own}. The judges are simulated with known hit and false-alarm rates:
{judges}. "Correlated" judges err together, with the correlation given between two judges' latent draws, label by label.

## Consensus and stacking

Mean AUROC over {draws} draws of {answers} answers and of the votes; in brackets the smallest and the largest gain. The
stacked figure comes from fits that saw none of an answer's sources (five folds within the {answers}).

| judges | engine | best single judge | consensus | engine and votes stacked | gain over the engine |
|---|---|---|---|---|---|
{consensus}

## Label audit

5 % of the labels of all {n} answers flipped, {flipped} of them. Of the first 100 labels the audit lists, the share that
had been flipped (mean of five draws, smallest and largest; it can be {ceiling:.2f} at most), the share of all flipped
labels that is among these 100, and how many times better than chance that is. The labels of the data set
count as right here; some of what stands above the flipped ones is wrong in the data set itself, which this cannot see.

| listed by | precision of the first 100 | of all flipped | times chance |
|---|---|---|---|
{audit}
"""


if __name__ == "__main__":
    main()
