"""Does the model learn from reviewers? A simulation, written as docs/learning.md and docs/learning.svg.

    python -m bench.learning_curve --data DIR --out docs/learning [--base 2400] [--reported 500]

A model is fitted on question answering and summaries of folds 2-4 and never sees data-to-text. Then reviewers label
data-to-text answers of fold 1, and after 200, 500, 1,000 and 2,000 labels the model is refitted as `proofmark train`
does it (the last level, on the labels alone). Each time it is read on data-to-text of fold 0. Labels come in two
orders: at random, and as a reviewer meets them, the most uncertain first with 5 % drawn at random as an audit; the
order is worked out anew with each refitted model.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bench.train.judging import fold_of_source, sample
from proofing.batch import Job
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.learning.examples import Example
from proofing.learning.fit import fit
from proofing.learning.metrics import Estimate, evaluate
from proofing.learning.model import SupportModel
from proofing.learning.training import example_of
from proofing.settings import Settings

SIZES = (200, 500, 1000, 2000)
NEW = "data2txt"
AUDIT = 0.05
SEEDS = (1, 2, 3)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("docs/learning"), help="without ending")
    parser.add_argument("--base", type=int, default=2400, help="answers of the other tasks the model is fitted on")
    parser.add_argument("--reported", type=int, default=500, help="answers of fold 0 it is read on")
    options = parser.parse_args(arguments)
    lines = list(read_answers(options.data / "ragtruth_train.jsonl.gz"))
    other = _drawn([line for line in lines if line.task != NEW], (2, 3, 4), options.base)
    pool = _counted(_drawn([line for line in lines if line.task == NEW], (1,), SIZES[-1]))
    held = _counted(_drawn([line for line in lines if line.task == NEW], (0,), options.reported))
    base = fit(_counted(other), name="without data-to-text", say=print).model()
    start = _figures(base, held)
    print(f"before any label: {start['auroc']}", flush=True)
    curves = {"uncertain first": _curve(base, pool, held, None)}
    for seed in SEEDS:
        curves[f"random, seed {seed}"] = _curve(base, pool, held, seed)
    sizes = [n for n in SIZES if n <= len(pool)]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.with_suffix(".md").write_text(_page(start, curves, sizes, len(held), options), encoding="utf-8")
    options.out.with_suffix(".svg").write_text(_drawing(start["auroc"], curves, sizes), encoding="utf-8")
    print(f"wrote {options.out}.md and .svg")


def _drawn(lines: Sequence[AnswerLine], folds: Sequence[int], most: int) -> list[AnswerLine]:
    return [lines[i] for i in sample(lines, folds, most)]


def _counted(lines: Sequence[AnswerLine]) -> list[Example]:
    job = Job(Settings(tier="fast"))
    found = [example_of(line, line.group, job.settings) for line in lines]
    print(f"{len(found)} answers counted, folds {sorted({fold_of_source(e.group) for e in found})}", flush=True)
    return [replace(e, family="") for e in found]


def _curve(
    base: SupportModel, pool: Sequence[Example], held: Sequence[Example], seed: int | None
) -> list[dict[str, Estimate]]:
    """Figures after each size; `seed` = random order, None = the reviewer's order."""
    chooser = random.Random(0 if seed is None else seed)
    left = list(range(len(pool)))
    chooser.shuffle(left)
    chosen: list[int] = []
    model, out = base, []
    for size in SIZES:
        if size > len(pool):
            break
        wanted = size - len(chosen)
        if seed is None:
            audit = left[: round(wanted * AUDIT)]
            rest = left[len(audit) :]
            said = {i: model.probabilities(pool[i].sheet, pool[i].judgements or ())[0] for i in rest}
            unsure = sorted(rest, key=lambda i: (abs(said[i] - model.cut), i))
            fresh = [*audit, *unsure[: wanted - len(audit)]]
        else:
            fresh = left[:wanted]
        chosen += fresh
        taken = set(fresh)
        left = [i for i in left if i not in taken]
        model = fit([pool[i] for i in sorted(chosen)], name=f"{size} labels", base=base).model()
        figures = _figures(model, held)
        print(f"{'uncertain' if seed is None else f'random {seed}'}, {size} labels: {figures['auroc']}", flush=True)
        out.append(figures)
    return out


def _figures(model: SupportModel, held: Sequence[Example]) -> dict[str, Estimate]:
    said = [model.probabilities(e.sheet, e.judgements or ())[0] for e in held]
    return evaluate(said, [e.label for e in held], cut=model.cut, groups=[e.group for e in held])


def _page(
    start: dict[str, Estimate], curves: dict[str, list[dict[str, Estimate]]], sizes: Sequence[int], held: int,
    options: argparse.Namespace,
) -> str:  # fmt: skip
    rows = ["| order | " + " | ".join(f"{n:,} labels" for n in (0, *sizes)) + " |", "|---|" + "---|" * (len(sizes) + 1)]
    rows += [f"| {name} | {start['auroc']} | " + " | ".join(str(f["auroc"]) for f in found) + " |" for name, found in
             curves.items()]  # fmt: skip
    command = f"python -m bench.learning_curve --data DIR --base {options.base} --reported {options.reported}"
    return PAGE.format(command=command, rows="\n".join(rows), held=held, base=options.base)


def _drawing(start: Estimate, curves: dict[str, list[dict[str, Estimate]]], sizes: Sequence[int]) -> str:
    """Lines of AUROC by labels, the interval of the reviewer's order as a band."""
    values = [v for found in curves.values() for f in found for v in (f["auroc"].interval or ())] + [start.value or 0.5]
    low, high = min(values) - 0.01, max(values) + 0.01
    width, height, left, bottom = 640, 360, 60, 40

    def x(n: int) -> float:
        return left + (width - left - 20) * n / sizes[-1]

    def y(v: float) -> float:
        return height - bottom - (height - bottom - 20) * (v - low) / (high - low)

    marks = [f'<line x1="{left}" y1="{y(t):.1f}" x2="{width - 20}" y2="{y(t):.1f}" stroke="#ddd"/>'
             f'<text x="{left - 8}" y="{y(t) + 4:.1f}" text-anchor="end">{t:.2f}</text>'
             for t in (round(low + (high - low) * i / 5, 2) for i in range(6))]  # fmt: skip
    marks += [f'<text x="{x(n):.1f}" y="{height - 18}" text-anchor="middle">{n:,}</text>' for n in (0, *sizes)]
    for name, found in curves.items():
        reviewer = name.startswith("uncertain")
        points = [(0, start), *((n, f["auroc"]) for n, f in zip(sizes, found, strict=True))]
        if reviewer:
            edges = [(n, e.interval) for n, e in points if e.interval]
            path = [f"{x(n):.1f},{y(i[1]):.1f}" for n, i in edges] + [
                f"{x(n):.1f},{y(i[0]):.1f}" for n, i in edges[::-1]
            ]
            marks.append(f'<polygon points="{" ".join(path)}" fill="#2a6f97" opacity="0.15"/>')
        line = " ".join(f"{x(n):.1f},{y(e.value or 0.0):.1f}" for n, e in points)
        style = 'stroke="#2a6f97" stroke-width="3"' if reviewer else 'stroke="#999" stroke-width="1.5"'
        marks.append(f'<polyline points="{line}" fill="none" {style}><title>{name}</title></polyline>')
    body = "\n".join(marks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" '
        f'font-size="12"><title>AUROC on data-to-text by number of labels: blue the reviewer\'s order with its '
        f"interval, grey random orders</title>\n{body}\n</svg>\n"
    )


PAGE = """# Learning from reviewers, simulated

Written by `{command}`; do not edit by hand.
A model fitted on {base} answers of question answering and summaries (RAGTruth, folds 2-4) has never seen data-to-text.
Reviewers then label data-to-text answers of fold 1; after each size the last level is refitted on the labels alone,
as `proofmark train` does. AUROC on {held} data-to-text answers of fold 0, with 95 % intervals bootstrapped over whole
sources. Fast tier, without the reader. *Uncertain first* is the order of the desk: nearest to the cut first, 5 % drawn
at random.

{rows}

![AUROC by number of labels](learning.svg)
"""


if __name__ == "__main__":
    main()
