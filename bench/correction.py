"""Verification against a corpus and correction by evidence; writes docs/correction.md.

    python -m bench.correction --data DIR [--sets medhallu_a,truthfulqa_a] [--limit 300] [--tier standard]
    python -m bench.correction --data DIR --sets truthfulqa_a --folds 1,2 --ways '' --limit 9999 --out /dev/stdout

The corpus holds the sources of a whole set. For answers of fold 0, or of `--folds`: does the search find the source of
an answer (for question and answer, without being told), how well does the engine tell faulty from right against the
passages found, and what does the healer make of the answers. Right and faulty answers are always both there.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.quality import SETS, unlike
from proofing.corpus import WAYS, Corpus, inspect_with
from proofing.documents import Source
from proofing.exchange.answers import AnswerLine, read_answers
from proofing.healing import heal
from proofing.inspection import inspect
from proofing.learning.metrics import evaluate
from proofing.report import Report
from proofing.settings import TIERS, Settings

PASSAGES = 4


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("docs/correction.md"))
    parser.add_argument("--sets", default="medhallu_a,truthfulqa_a")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--tier", choices=TIERS, default="standard")
    parser.add_argument("--ways", default=",".join(WAYS), help="of search; empty: given sources alone")
    parser.add_argument("--folds", default="0", help="answers of these folds, by the hash of their source")
    options = parser.parse_args(arguments)
    blocks = [_block(name, options) for name in options.sets.split(",")]
    command = (
        f"python -m bench.correction --data DIR --sets {options.sets} --limit {options.limit} --tier {options.tier}"
        + ("" if options.ways == ",".join(WAYS) else f" --ways '{options.ways}'")
        + ("" if options.folds == "0" else f" --folds {options.folds}")
    )
    options.out.write_text(PAGE.format(command=command, blocks="\n\n".join(blocks)), encoding="utf-8")
    print(f"wrote {options.out}")


def _block(name: str, options: argparse.Namespace) -> str:
    lines = list(read_answers(options.data / f"{name}.jsonl.gz"))
    texts = dict.fromkeys(source.text for line in lines for source in line.sources)
    documents = {text: Source(f"d{i}", text) for i, text in enumerate(texts)}
    corpus = Corpus.of(list(documents.values()))
    folds = [int(fold) for fold in options.folds.split(",")]
    own = [line for line in lines if int(line.group[:8], 16) % 5 in folds][: options.limit]
    settings = Settings(tier=options.tier)
    labels = [int(line.label or 0) for line in own]
    given = [inspect(line.question, line.sources, line.answer, settings=settings) for line in own]
    rows = [_detected("given sources", own, labels, given, None)]
    for way in filter(None, options.ways.split(",")):
        wanted = [{documents[s.text].id for s in line.sources} for line in own]
        found = [
            inspect_with(corpus, line.question, line.answer, k=PASSAGES, how=way, settings=settings) for line in own
        ]
        hits = [bool(w & {s.id.split("#")[0] for s in r.sources}) for w, r in zip(wanted, found, strict=True)]
        rows.append(_detected(f"corpus, {way}", own, labels, found, sum(hits) / len(hits)))
    score = evaluate([unlike(line) for line in own], labels, cut=2.0, groups=[line.group for line in own])
    rows.append(f"| verification score, given sources | – | {score['auroc']} | – | – |")
    healed = _healed(own, given, [line for line in lines if line.label == 0])
    print(f"{name}: done", flush=True)
    where = f"fold{'s' if len(folds) > 1 else ''} {', '.join(map(str, folds))}"
    size = f"{len(own)} answers of {where} ({sum(labels)} faulty); {len(documents)} documents, "
    size += f"{len(corpus.passages)} passages, {PASSAGES} retrieved."
    title = SETS[name].replace("fold 0", where)
    return "\n".join([f"## {title}", "", size, "", HEAD, "|---|---|---|---|---|", *rows, "", healed])


HEAD = "| read against | own source found | AUROC | F1 at the model's cut | recall |"


def _detected(
    title: str, lines: Sequence[AnswerLine], labels: Sequence[int], reports: Sequence[Report], hits: float | None
) -> str:
    cut = float(reports[0].engine["cut"])
    found = evaluate(
        [r.unsupported_probability for r in reports], labels, cut=cut, groups=[line.group for line in lines]
    )  # fmt: skip
    share = "–" if hits is None else f"{hits:.3f}"
    return f"| {title} | {share} | {found['auroc']} | {found['f1']} | {found['recall']} |"


def _healed(lines: Sequence[AnswerLine], reports: Sequence[Report], right: Sequence[AnswerLine]) -> str:
    """Rates over right and faulty answers: served changes, and what a person is offered."""
    references: dict[str, list[str]] = {}
    for line in right:
        references.setdefault(line.question, []).append(line.answer)
    counts: Counter[str] = Counter()
    for line, report in zip(lines, reports, strict=True):
        healing = heal(report)
        side = "faulty" if line.label else "right"
        counts[side] += 1
        served = healing.text if healing.applied else line.answer
        offered = healing.proposal or served
        counts[f"{side} changed"] += served != line.answer
        counts[f"{side} offered"] += offered != line.answer
        if line.label:
            best = max((_overlap(line.answer, known) for known in references.get(line.question, [])), default=0.0)
            after = max((_overlap(served, known) for known in references.get(line.question, [])), default=0.0)
            counts["nearer"] += served != line.answer and after > best
    changed = f"{_rate(counts, 'right', 'changed')} (regression rate) | {_rate(counts, 'faulty', 'changed')}"
    offered_rates = f"{_rate(counts, 'right', 'offered')} | {_rate(counts, 'faulty', 'offered')}"
    left = counts["faulty"] - counts["faulty changed"]
    rows = [
        "| | right answers | faulty answers |", "|---|---|---|",
        f"| changed by the healer alone | {changed} |",
        f"| changed or offered | {offered_rates} |",
        f"| left as it was (still faulty for sure) | – | {left}/{counts['faulty']} |",
        f"| changed, and nearer to a right answer (word F1) | – | {counts['nearer']}/{counts['faulty']} |",
    ]  # fmt: skip
    return "\n".join(rows)


def _rate(counts: Counter[str], side: str, what: str) -> str:
    part, whole = counts[f"{side} {what}"], counts[side]
    return f"{part}/{whole} = {part / max(whole, 1):.3f}"


def _overlap(left: str, right: str) -> float:
    a, b = Counter(re.findall(r"\w+", left.lower())), Counter(re.findall(r"\w+", right.lower()))
    shared = sum((a & b).values())
    return 2 * shared / max(sum(a.values()) + sum(b.values()), 1)


PAGE = """# Verification against a corpus, correction by evidence

Written by `{command}`; do not edit by hand.
Balanced answers, right and faulty together. *Still faulty* counts answers the healer left alone; what it changed is
compared with the right answers the set holds for the same question, for no measure here can say that a text has become
right. Intervals are 95 %, bootstrapped over whole sources.

A regression rate over 2 % is a defect. TruthfulQA is the hard one: the given sources are the other right answers to
the question, so a right answer often stands in none of them; what such pieces of pages are silent about is marked and
offered, not changed (decision 0008). The AUROC against the corpus of TruthfulQA says little: the corpus holds the
right answers themselves, as sources of others.

{blocks}
"""


if __name__ == "__main__":
    main()
