"""How long one answer takes at each tier, on real answers; writes docs/latency.json, which the model card shows.

    python -m bench.latency --data DIR [--answers 40]

RAGTruth's answers of fold 0, drawn by hash, each with sources the process has not seen before. Milliseconds of
processor time of `inspect` in one process on one core, so that other work on the machine hardly counts; models are
loaded before the clock starts, and one thread counts (`OMP_NUM_THREADS=1`). The load while measuring is written down
beside the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as the command line and the site do; before numpy is there

from bench.quality import REPORTED_ON, drawn_lines
from proofing.inspection import inspect
from proofing.settings import TIERS, Settings

OUT = Path(__file__).resolve().parents[1] / "docs" / "latency.json"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args(arguments)
    lines = drawn_lines(options.data, "ragtruth_train", REPORTED_ON, options.answers)
    words = [len(line.answer.split()) for line in lines]
    given = [sum(len(source.text.split()) for source in line.sources) for line in lines]
    tiers = {}
    for tier in TIERS:
        settings = Settings(tier=tier)
        inspect("", ["Models are loaded by a first answer."], "A first answer loads the models.", settings=settings)
        spent = []
        for line in lines:
            began = time.process_time()
            inspect(line.question, line.sources, line.answer, settings=settings)
            spent.append((time.process_time() - began) * 1000)
        ranked = sorted(spent)
        tiers[tier] = {"median": round(statistics.median(spent), 1), "p90": round(ranked[len(ranked) * 9 // 10], 1)}
        print(tier, tiers[tier], flush=True)
    found = {
        "command": f"python -m bench.latency --data DIR --answers {options.answers}",
        "answers": len(lines), "answer_words": statistics.median(words), "source_words": statistics.median(given),
        "load": round(os.getloadavg()[0], 1), "cores": os.cpu_count(), "tiers": tiers,
    }  # fmt: skip
    options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
