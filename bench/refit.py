"""What a refit of the support model costs, and what it gives on answers like those the shipped model knows.

    python bench/refit.py --data ragtruth_train.jsonl.gz [--answers 1250] [--tier fast]

Takes answers of fold 0, which no part of the shipped model was fitted on, parts them by source as the site does (four
fifths to fit on), fits, and compares on the rest; prints both models' figures, processor time and memory. On answers of
the kind the shipped model was fitted on there is little to learn; `bench/learning_curve.py` shows a kind it never saw.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofing.exchange.answers import read_answers
from proofing.exchange.reviews import split_of
from proofing.learning.refitting import Counting, Row, drawn, refit_and_compare
from proofing.settings import Settings

FOLD = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--answers", type=int, default=1250)
    parser.add_argument("--tier", choices=("fast", "standard", "deep"), default="fast")
    options = parser.parse_args()
    fold = (line for line in read_answers(options.data) if int(line.group[:8], 16) % 5 == FOLD)
    lines = [replace(line, labels=None) for line in islice(fold, options.answers)]
    rows = [
        Row(n, line.id or str(n), line.group, int(line.label or 0), split_of(line.group) == "test")
        for n, line in enumerate(lines)
    ]
    training, held_out = drawn(rows, options.tier)
    began = time.process_time()
    counting = Counting(Settings(tier=options.tier))
    to_fit = [counting.example(lines[row.key], row) for row in training]
    to_compare = [counting.example(lines[row.key], row) for row in held_out]
    counted = time.process_time()
    found = refit_and_compare(counting, to_fit, to_compare)
    done = time.process_time()
    print(f"{len(training)} answers fitted on, {len(held_out)} held out, tier {options.tier}")
    for name, one in found.figures.items():
        print(f"{name:<28}{one.old!s:<24}{one.new!s:<24}{one.difference}")
    each = (counted - began) / len(lines) * 1000
    print(f"read {counted - began:.0f} s CPU ({each:.0f} ms an answer), fitted and compared {done - counted:.0f} s CPU")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"model {len(found.fitted.to_bytes()) / 1024:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
