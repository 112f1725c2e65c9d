"""What the healer does to labelled answers: how many right ones it changes, and how much of the faulty spans goes.

    python -m bench.healing RAGTRUTH.jsonl.gz --fold 0 --right 600 --faulty 300 --seed 901 --out docs/healing.md
    python -m bench.healing --scenarios --repeat 20

Prints, for each caution setting, the share of right answers changed (the number that must stay under 2 %), the share
of labelled span characters that are gone or replaced in the served text, and the share of unlabelled characters
kept; the same for what a person would be offered (served text, or the proposal). With ``--scenarios`` it times
`inspect` and `heal` on the five stories of `proofing.demo` instead, in CPU milliseconds of this process.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from proofing.demo import SCENARIOS
from proofing.healing import heal, offered
from proofing.inspection import inspect
from proofing.learning.model import SupportModel
from proofing.report import Healing, Report
from proofing.settings import TIERS, Settings

FOLDS = 5
#: Answers of each label in a sample, unless another number is asked for.
SAMPLE = 300
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass
class Tally:
    """Counts at one caution setting."""

    right: int = 0
    right_changed: int = 0
    right_offered: int = 0
    faulty: int = 0
    faulty_changed: int = 0
    span_characters: int = 0
    span_gone: int = 0
    other_characters: int = 0
    other_kept: int = 0
    offered_gone: int = 0
    offered_kept: int = 0
    strategies: Counter[str] = field(default_factory=Counter)


def rows(path: Path, fold: int) -> Iterator[dict[str, Any]]:
    """Lines of one fold (``int(group[:8], 16) % 5``) that are of good quality."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if int(row["group"][:8], 16) % FOLDS == fold and not row.get("quality"):
                yield row


def sample(
    path: Path, fold: int, right: int, faulty: int, seed: int, seen: Collection[str] = ()
) -> list[dict[str, Any]]:
    """A fixed sample: the same seed gives the same answers; groups in `seen` are left out."""
    by_label: dict[int, list[dict[str, Any]]] = {0: [], 1: []}
    for row in rows(path, fold):
        if row["group"] not in seen:
            by_label[row["label"]].append(row)
    chooser = random.Random(seed)
    chosen = []
    for label, count in ((0, right), (1, faulty)):
        group = by_label[label]
        chosen += group if count >= len(group) else chooser.sample(group, count)
    return chosen


def kept_characters(before: str, after: str) -> list[bool]:
    """For each character of `before` whether it is still there, comparing word by word."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    starts = [0]
    for piece in old:
        starts.append(starts[-1] + len(piece))
    kept = [False] * len(before)
    for a, _, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for position in range(starts[a], starts[a + size]):
            kept[position] = True
    return kept


def count(tally: Tally, row: dict[str, Any], healing: Healing) -> None:
    """Add one answer to a tally."""
    answer = row["answer"]
    offer = offered(healing).text
    changed = healing.text != answer
    tally.strategies[f"{'right' if not row['label'] else 'faulty'}:{healing.strategy if changed else 'unchanged'}"] += 1
    if not row["label"]:
        tally.right += 1
        tally.right_changed += changed
        tally.right_offered += offer != answer
        return
    tally.faulty += 1
    tally.faulty_changed += changed
    labelled = [False] * len(answer)
    for label in row.get("labels") or ():
        labelled[label["start"] : label["end"]] = [True] * (label["end"] - label["start"])
    served_kept = kept_characters(answer, healing.text) if changed else [True] * len(answer)
    offer_kept = kept_characters(answer, offer) if offer != answer else [True] * len(answer)
    for is_span, served, proposed in zip(labelled, served_kept, offer_kept, strict=True):
        if is_span:
            tally.span_characters += 1
            tally.span_gone += not served
            tally.offered_gone += not proposed
        else:
            tally.other_characters += 1
            tally.other_kept += served
            tally.offered_kept += proposed


def interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.959964, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def line_of(caution: float, tally: Tally) -> str:
    """One line of the table."""
    low, high = interval(tally.right_changed, tally.right)
    gone = tally.span_gone / max(1, tally.span_characters)
    kept = tally.other_kept / max(1, tally.other_characters)
    offered_gone = tally.offered_gone / max(1, tally.span_characters)
    offered_kept = tally.offered_kept / max(1, tally.other_characters)
    return (
        f"{caution:5.2f}  right changed {tally.right_changed}/{tally.right} "
        f"({tally.right_changed / max(1, tally.right):.3f}, {low:.3f}-{high:.3f})  "
        f"span gone {gone:.3f}  kept {kept:.3f}  faulty changed {tally.faulty_changed}/{tally.faulty}  |  "
        f"offered: right {tally.right_offered}/{tally.right}, span gone {offered_gone:.3f}, kept {offered_kept:.3f}"
    )


def measure(chosen: Sequence[dict[str, Any]], settings: Settings, cautions: Sequence[float]) -> dict[float, Tally]:
    """Read each answer once and heal it at every caution setting."""
    tallies = {caution: Tally() for caution in cautions}
    started = time.monotonic()
    for number, row in enumerate(chosen, start=1):
        report = read_row(row, settings)
        for caution, tally in tallies.items():
            healing = heal(report.with_(settings=replace(settings, caution=caution)))
            count(tally, row, healing)
        if number % 50 == 0:
            print(f"{number}/{len(chosen)} {time.monotonic() - started:.0f} s", file=sys.stderr)
    return tallies


def read_row(row: dict[str, Any], settings: Settings, model: SupportModel | None = None) -> Report:
    """The report of one labelled line."""
    return inspect(row.get("question", ""), row["sources"], row["answer"], settings=settings, model=model)


def time_scenarios(tier: str, repeat: int) -> list[tuple[float, float]]:
    """Median and least CPU milliseconds of `inspect` and `heal` for each story."""
    settings = Settings(tier=tier)
    found = []
    for story in SCENARIOS:
        taken = []
        for number in range(repeat + 1):
            started = time.process_time()
            heal(inspect(story.question, story.sources, story.answer, settings=settings))
            if number:  # the first run loads the models
                taken.append((time.process_time() - started) * 1000)
        found.append((statistics.median(taken), min(taken)))
    return found


def scenario_lines(tiers: Sequence[str], repeat: int) -> list[str]:
    """A table of `time_scenarios`: one row a tier, median and least of each story, and the median over the stories."""
    names = " | ".join(story.name for story in SCENARIOS)
    lines = [f"| tier | {names} | median |", "|---" * (len(SCENARIOS) + 2) + "|"]
    for tier in tiers:
        times = time_scenarios(tier, repeat)
        cells = " | ".join(f"{middle:.1f} ({least:.1f})" for middle, least in times)
        middle, least = (statistics.median(column) for column in zip(*times, strict=True))
        lines.append(f"| {tier} | {cells} | **{middle:.1f}** ({least:.1f}) |")
    return lines


def row_of(caution: float, tally: Tally) -> str:
    """One row of the page's table."""
    low, high = interval(tally.right_changed, tally.right)
    return (
        f"| {caution:.2f} | {tally.right_changed}/{tally.right} = {share(tally.right_changed, tally.right)} "
        f"({low:.3f}–{high:.3f}) | {share(tally.span_gone, tally.span_characters)} "
        f"| {share(tally.other_kept, tally.other_characters)} | {tally.faulty_changed}/{tally.faulty} "
        f"| {share(tally.right_offered, tally.right)} | {share(tally.offered_gone, tally.span_characters)} "
        f"| {share(tally.offered_kept, tally.other_characters)} |"
    )


def share(part: int, whole: int) -> str:
    return f"{part / max(1, whole):.3f}"


PAGE = """# What the healer changes

Written by `{command}`; do not edit by hand.
{right} right and {faulty} faulty answers of RAGTruth's training split, fold {fold}, which neither the support model nor
the healer's certainty was fitted on, drawn with seed {seed}{without}, {tier} tier, engine {version}, support model
`{model}`. The default caution is {default:.2f}, and what goes along with a sure edit needs {beside:.2f}.
*Served* is what the healer changes by itself; *offered* is
what a person is shown, served text or proposal. Span characters are those labelled as unsupported; gone means taken
out or replaced, compared word by word. In brackets Wilson's 95 % interval.

| caution | right changed | span gone | other text kept | faulty changed | right offered | offered gone | offered kept |
|---|---|---|---|---|---|---|---|
{rows}

## What it leaves to people

* Where several source values are bound alike, nothing is put in: the candidates are offered, and a person chooses.
* A word turned round ("must" for "can") in a sentence of which much stands in no source ("by telephone") is only
  proposed.
* A few everyday words added to a sentence that else stands in the sources ("from the first day", "by courier", "or in
  cash") have no mark: they cannot be told from a paraphrase. Nor have "anyone" for "only members", "more" for "less"
  before a noun, a bare "Yes.", or the year of one thing given to another that only its verb tells apart ("restored in
  1890").
* A right paraphrase that shares no word with its source ("you cannot book a table" for "does not accept
  reservations") counts as not backed. Where that is the whole answer and the sources are short, the decline or the
  source's own words are served.
* Verbs and articles follow an edit in English; counted nouns, "yes" and "no", capitals and billing cycles in seven
  languages.

## Speed

CPU milliseconds of `inspect` and `heal` in one process: median of {repeat} runs, in brackets the least of them.

{speed}
"""


def page_of(tallies: dict[float, Tally], given: argparse.Namespace, model: str) -> str:
    """The whole of docs/healing.md."""
    from proofing import __version__

    one = next(iter(tallies.values()))
    skipped = f" --not-seed {' '.join(map(str, given.not_seed))}" if given.not_seed else ""
    without = " from sources outside the samples of the --not-seed seeds" if given.not_seed else ""
    command = (
        f"python -m bench.healing RAGTRUTH.jsonl.gz --fold {given.fold} --right {given.right} --faulty {given.faulty} "
        f"--seed {given.seed}{skipped} --tier {given.tier} --caution {' '.join(map(str, given.caution))} "
        "--out docs/healing.md"
    )
    return PAGE.format(
        command=command, right=one.right, faulty=one.faulty, fold=given.fold, seed=given.seed, tier=given.tier,
        without=without,
        version=__version__, model=model, repeat=given.repeat,
        default=Settings().caution, beside=Settings().caution_beside,
        rows="\n".join(row_of(caution, tally) for caution, tally in tallies.items()),
        speed="\n".join(scenario_lines(given.tiers, given.repeat)),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--scenarios", action="store_true", help="time the five stories instead")
    parser.add_argument("--tiers", nargs="+", choices=TIERS, default=["fast", "standard"])
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--out", type=Path, help="also write the page there")
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--right", type=int, default=SAMPLE)
    parser.add_argument("--faulty", type=int, default=SAMPLE)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument(
        "--not-seed",
        type=int,
        nargs="*",
        default=[],
        help="leave out the sources of default samples drawn with these seeds",
    )
    parser.add_argument("--tier", choices=TIERS, default="fast")
    parser.add_argument("--caution", type=float, nargs="*", default=[0.0, 0.5, 0.7, 0.78, 0.85, 0.9])
    given = parser.parse_args()
    if given.scenarios:
        print("\n".join(scenario_lines(given.tiers, given.repeat)))
        return
    if given.path is None:
        parser.error("name the labelled file, or ask for --scenarios")
    seen = {row["group"] for seed in given.not_seed for row in sample(given.path, given.fold, SAMPLE, SAMPLE, seed)}
    chosen = sample(given.path, given.fold, given.right, given.faulty, given.seed, seen)
    tallies = measure(chosen, Settings(tier=given.tier), given.caution)
    for caution, tally in tallies.items():
        print(line_of(caution, tally))
        print("      ", dict(sorted(tally.strategies.items())))
    if given.out:
        model = str(read_row(chosen[0], Settings(tier=given.tier)).engine["support_model"])
        given.out.write_text(page_of(tallies, given, model), encoding="utf-8")


if __name__ == "__main__":
    main()
