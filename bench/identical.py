"""Are findings the same, byte for byte, in other processes, under other hash seeds and locales, and from threads?

    python bench/identical.py                    1,000 inputs, four processes, fast tier
    python bench/identical.py --count 200 --tier standard

Each process reads the same seeded inputs (`bench/inputs.py`) under its own PYTHONHASHSEED, LC_ALL and time zone, and
prints one SHA-256 per input over the JSON of the whole finding. The last process works in four threads. Exit status 1
when any two differ; the first input that differs is printed. A locale that the system does not have is made with
`localedef` where that is installed, else the line says "not there".
"""

from __future__ import annotations

import argparse
import hashlib
import json
import locale
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path.insert(0, str(HERE.parent))

from inputs import Input, inputs  # noqa: E402

#: Hash seed, locale, time zone and threads of each process.
WAYS = (
    ("0", "C", "UTC", 1),
    ("1", "C.UTF-8", "Asia/Kolkata", 1),
    ("4242", "tr_TR.UTF-8", "America/St_Johns", 1),
    ("999983", "de_DE.UTF-8", "Europe/Berlin", 4),
)


def digest(given: Input, tier: str) -> str:
    """SHA-256 of the JSON of the finding; of the error's words where the input is refused."""
    import proofing

    try:
        finding = proofing.proofread(
            given.answer, given.sources, question=given.question, settings=proofing.Settings(tier=tier)
        )
        said = json.dumps(finding.to_dict(), ensure_ascii=True)
    except proofing.BadInput as error:
        said = f"refused: {error}"
    return hashlib.sha256(said.encode()).hexdigest()


def work(count: int, tier: str, threads: int) -> None:
    """Print the locale in force, then one digest per input."""
    try:
        name = locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        name = "not there"
    print(name)
    given = list(inputs(count))
    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            found = list(pool.map(lambda one: digest(one, tier), given))
    else:
        found = [digest(one, tier) for one in given]
    print("\n".join(found))


def make_locales(folder: Path) -> None:
    """Build the locales of `WAYS` into a folder for LOCPATH, where the system's tools can."""
    tool = shutil.which("localedef")
    for name in sorted({way[1] for way in WAYS if "_" in way[1]}):
        if tool is not None:
            language = name.partition(".")[0]
            subprocess.run(
                [tool, "-i", language, "-f", "UTF-8", str(folder / name)], capture_output=True, timeout=60, check=False
            )


def compare(count: int, tier: str) -> int:
    """Run every way after the other and say whether all agree; the exit status."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        make_locales(Path(folder))
        for seed, name, zone, threads in WAYS:
            environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": name, "LANG": name, "TZ": zone}
            if (Path(folder) / name).exists():
                environment["LOCPATH"] = folder
            command = [sys.executable, str(HERE), "--work", str(threads), "--count", str(count), "--tier", tier]
            begun = time.perf_counter()
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                print(done.stderr, file=sys.stderr)
                return 1
            said, *digests = done.stdout.split("\n")
            together = hashlib.sha256("".join(digests).encode()).hexdigest()[:16]
            results.append(digests)
            print(
                f"hash seed {seed:>6}  asked for {name:<12} got {said:<12} {zone:<16} threads {threads}  "
                f"{time.perf_counter() - begun:5.1f} s  {together}"
            )
    differing = [i for i, row in enumerate(zip(*results, strict=True)) if len(set(row)) > 1]
    print(f"{count} inputs, {len(WAYS)} processes: {len(differing)} findings differ")
    if differing:
        print(list(inputs(count))[differing[0]])
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--tier", default="fast", choices=("fast", "standard", "deep"))
    parser.add_argument("--work", type=int, default=0, metavar="THREADS", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.count, given.tier, given.work)
        return 0
    return compare(given.count, given.tier)


if __name__ == "__main__":
    sys.exit(main())
