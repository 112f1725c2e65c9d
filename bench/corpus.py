"""What an index of a corpus costs: time and memory to make it, its size, and time and memory to search it.

    python -m bench.corpus [--characters 20000000] [--meaning]

The text is made up: words drawn with a fixed seed by Zipf's law, twenty to a sentence, documents of 20,000 characters.
Making and searching run in processes of their own, so that each one's memory is its own. Times are of one core
(`time.process_time`), so that what else runs on the machine hardly counts.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from proofing.corpus_index import open_index, vectors_of, write_index
from proofing.documents import Source

DOCUMENT = 20_000
WORDS = 50_000
QUERIES = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=20_000_000)
    parser.add_argument("--meaning", action="store_true", help="sentence vectors, too")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        print(json.dumps(make(options.make, options.characters, meaning=options.meaning)))
    elif options.search:
        print(json.dumps(search(options.search, meaning=options.meaning)))
    else:
        with tempfile.TemporaryDirectory() as folder:
            for step in ("--make", "--search"):
                command = [sys.executable, "-m", "bench.corpus", step, str(Path(folder) / "corpus.index")]
                command += ["--characters", str(options.characters), *(["--meaning"] if options.meaning else [])]
                print(step[2:], subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


def make(path: Path, characters: int, *, meaning: bool) -> dict[str, float]:
    start = time.process_time()
    built = write_index(path, documents(characters), encoder="auto" if meaning else None)
    seconds = time.process_time() - start
    size = path.stat().st_size + (vectors_of(path).stat().st_size if built.encoder else 0)
    return {"documents": built.documents, "passages": built.passages, "core_seconds": round(seconds, 1),
            "megabytes": round(size / 1e6, 1), "memory_megabytes": memory()}  # fmt: skip


def search(path: Path, *, meaning: bool) -> dict[str, float]:
    draw = _words(random.Random(2))
    took = []
    with open_index(path) as corpus:
        for _ in range(QUERIES):
            question, answer = (" ".join(next(draw) for _ in range(n)) for n in (10, 60))
            start = time.process_time()
            corpus.search(question, answer, how="hybrid" if meaning else "tfidf")
            took.append((time.process_time() - start) * 1000)
    return {"median_core_ms": round(statistics.median(took), 1), "p95_core_ms": round(sorted(took)[94], 1),
            "memory_megabytes": memory()}  # fmt: skip


def memory() -> int:
    """The most this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def documents(characters: int) -> Iterator[Source]:
    draw = _words(random.Random(1))
    for number in range(max(1, characters // DOCUMENT)):
        text = ""
        while len(text) < DOCUMENT:
            text += " ".join(next(draw) for _ in range(20)).capitalize() + ". "
        yield Source(f"d{number}", text)


def _words(dice: random.Random) -> Iterator[str]:
    letters = random.Random(0)
    words = ["".join(letters.choices("etaoinshrdlu", k=letters.randint(3, 9))) for _ in range(WORDS)]
    weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
    while True:
        yield from dice.choices(words, cum_weights=weights, k=1000)


if __name__ == "__main__":
    main()
