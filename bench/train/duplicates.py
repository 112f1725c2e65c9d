"""Look for texts that stand on both sides of a fold: the same or nearly the same source or answer under two groups.

    python -m bench.train.duplicates --data DIR

Two texts are near when half of their runs of six words are shared (by a fixed eighth of the runs, chosen by hash);
equal means equal but for case, signs and white space. Texts under LEAST words ("Unable to answer.") are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from bench.train.judging import fold_of_source
from proofing.exchange.answers import read_answers

RUN, ONE_IN, NEAR, COMMON, LEAST = 6, 8, 0.5, 40, 12
_WORD = re.compile(r"\w+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args()
    print(
        "| set | texts | groups | equal, two groups | of them fold 0 and another | near | of them fold 0 and another |"
    )
    print("|---|---|---|---|---|---|---|")
    for path in sorted(options.data.glob("*.jsonl.gz")):
        lines = list(read_answers(path))
        name = path.name.removesuffix(".jsonl.gz")
        sources = {(line.group, " ".join(source.text for source in line.sources)) for line in lines}
        answers = {(line.group, line.answer) for line in lines}
        for what, texts in (("sources", sources), ("answers", answers)):
            print(_row(f"{name} {what}", sorted(texts)), flush=True)


def _row(title: str, texts: list[tuple[str, str]]) -> str:
    words = [_WORD.findall(text.casefold()) for _, text in texts]
    equal = _pairs_of(defaultdict(list), ((" ".join(own), i) for i, own in enumerate(words) if len(own) >= LEAST))
    runs = [_runs(own) for own in words]
    shared: Counter[tuple[int, int]] = Counter()
    holding: dict[int, list[int]] = defaultdict(list)
    for i, own in enumerate(runs):
        for run in own:
            holding[run].append(i)
    for places in holding.values():
        if len(places) <= COMMON:
            shared.update(combinations(places, 2))
    near = [
        (a, b) for (a, b), n in shared.items() if n >= 2 and n >= NEAR * min(len(runs[a]), len(runs[b]))
    ]  # fmt: skip
    groups = [group for group, _ in texts]
    cells = [str(len(texts)), str(len(set(groups)))]
    for pairs in (equal, near):
        apart = [(a, b) for a, b in pairs if groups[a] != groups[b]]
        crossing = [p for p in apart if (0 in (fold_of_source(groups[p[0]]), fold_of_source(groups[p[1]])))
                    and fold_of_source(groups[p[0]]) != fold_of_source(groups[p[1]])]  # fmt: skip
        cells += [str(len(apart)), str(len(crossing))]
    return f"| {title} | " + " | ".join(cells) + " |"


def _pairs_of(holding: dict[str, list[int]], keyed: Iterable[tuple[str, int]]) -> list[tuple[int, int]]:
    for key, place in keyed:
        holding[key].append(place)
    return [pair for places in holding.values() for pair in combinations(places, 2)]


def _runs(words: list[str]) -> set[int]:
    whole = (" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1))
    hashes = (int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest(), "big") for run in whole)
    return {value for value in hashes if value % ONE_IN == 0}


if __name__ == "__main__":
    main()
