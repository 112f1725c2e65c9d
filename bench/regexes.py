"""Looks for regular expressions of ours that take more than linear time on hostile text.

    python bench/regexes.py            every expression; prints those that grow too fast, exit status 1
    python bench/regexes.py --list     where they stand

Every ``re.compile``, ``re.search`` … call whose pattern can be computed from its module is found by importing modules
and walking their values, functions' constants and syntax trees. Each is run on strings pumped from its own pieces (what
its repeats accept, followed by what they do not), at doubling lengths, in a process that is killed when it takes too
long. An expression is named when a doubling costs more than `GROWTH` times the time (4 is quadratic) and the longest
run takes long enough to matter at the lengths that get here.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import multiprocessing
import os
import pkgutil
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
#: Lengths tried, and how long the last may take: an answer or a source has some ten thousand characters.
LENGTHS = (1000, 2000, 4000, 8000)
#: Quadratic is 4 for each doubling; what stays under `HARMLESS` seconds at the longest is let through.
GROWTH, HARMLESS = 3.2, 0.25
LIMIT = 20  # CPU seconds of one expression on one text
ALPHABET = (
    "1",
    " ",
    "a",
    "A",
    ".",
    ",",
    "-",
    "$",
    "(",
    '"',
    "\n",
    "é",
    "one ",
    "1,",
    "1 ",
    "a.",
    "a ",
    "A. ",
    "- ",
    "00 ",
)


def patterns() -> dict[tuple[str, int], set[str]]:
    """(expression, flags) → modules it stands in; those that are only matched at one place are in `ANCHORED`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    found: dict[tuple[str, int], set[str]] = {}
    sources: dict[str, str] = {}
    for package in ("proofing", "webapp"):
        for info in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if ".migrations" in info.name or info.name.endswith("__main__"):
                continue
            module = importlib.import_module(info.name)
            sources[info.name] = Path(str(module.__file__)).read_text(encoding="utf-8")
            for pattern in _of_module(module):
                if isinstance(getattr(pattern, "pattern", None), str):
                    found.setdefault((pattern.pattern, pattern.flags), set()).add(info.name)
    _find_anchored(sources)
    return found


#: Expressions that are only ever matched where a text begins: a search begins anew at each sign, a match does not.
ANCHORED: set[str] = set()
#: What may follow the name of such an expression: a match, its own definition, or an import.
_MATCHED = r"\.(?:fullmatch|match|pattern)\b|\s*(?::[^=\n]+)?= |\s*,?\s*(?:#.*)?$"


def _find_anchored(sources: dict[str, str]) -> None:
    everything = "\n".join(sources.values())
    for module, source in sources.items():
        for name in re.findall(r"^(_?[A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = re\.compile\(", source, re.MULTILINE):
            uses = re.findall(rf"\b{name}\b(?!{_MATCHED})", everything, re.MULTILINE)
            if not uses:
                ANCHORED.add(vars(sys.modules[module])[name].pattern)


def _of_module(module: Any) -> Iterator[re.Pattern[Any]]:
    yield from _walk(vars(module), set())
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and getattr(node.func.value, "id", "") == "re"
        ):
            if not node.args or node.func.attr in ("escape", "purge"):
                continue
            try:  # what is computed inside of functions from the module's own names
                pattern = eval(compile(ast.Expression(node.args[0]), "re", "eval"), vars(module).copy())
                yield re.compile(pattern) if isinstance(pattern, str) else pattern
            except Exception:
                continue  # made from arguments: its compiled forms are in caches and tables, if anywhere


def _walk(value: Any, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """Compiled expressions in a module's values: in lists, tables, named tuples and small objects, too."""
    if id(value) in seen or len(seen) > 20_000:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for inner in list(value.values()):
            yield from _walk(inner, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _walk(inner, seen)
    elif type(value).__module__.startswith(("proofing", "webapp")) and not callable(value):
        names = getattr(type(value), "__slots__", None) or list(getattr(value, "__dict__", {}))
        for name in names:
            yield from _walk(getattr(value, name, None), seen)


# Hostile texts ----------------------------------------------------------------------------------------------------


def pumps(pattern: str) -> list[str]:
    """Short texts to repeat: the pattern's own literals and classes, and the usual ones."""
    pieces = set(ALPHABET)
    pieces |= set(re.findall(r"[A-Za-z]{2,12}", pattern)[:12])
    pieces |= {match + " " for match in re.findall(r"[A-Za-z]{2,12}", pattern)[:6]}
    pieces |= set(re.sub(r"[\w\s]", "", pattern)[:40])
    return sorted(pieces)


def hostile(pattern: str, length: int) -> Iterator[tuple[str, str]]:
    """(name, text): one piece over and over, and two taking turns, with an end that matches nothing."""
    for piece in pumps(pattern):
        yield repr(piece), (piece * (length // len(piece) + 1))[:length] + "\x01"


def _try(pattern: str, flags: int, report: Any) -> None:
    """Send (piece, seconds at each length) of the worst piece."""
    compiled = re.compile(pattern, flags)
    worst: tuple[float, str, list[float]] = (0.0, "", [])
    for piece, text in hostile(pattern, LENGTHS[-1]):
        begun = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(begun) + LIMIT, resource.RLIM_INFINITY))  # for this piece alone
        _run(compiled, text)
        took = time.process_time() - begun
        report.send((piece, took))
        if took > worst[0]:
            worst = (took, piece, [])
    times = []
    for length in LENGTHS:
        text = dict(hostile(pattern, length)).get(worst[1], "")
        begun = time.process_time()
        _run(compiled, text)
        times.append(time.process_time() - begun)
    report.send(("end", worst[1], times))


def _run(compiled: re.Pattern[str], text: str) -> None:
    compiled.match(text)
    compiled.fullmatch(text)
    if compiled.pattern not in ANCHORED:
        for _ in compiled.finditer(text):
            pass


def grows(pattern: str, flags: int) -> tuple[str, list[float]] | None:
    """The piece and the times of an expression that takes too long; None for a good one."""
    here, there = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=_try, args=(pattern, flags, there))
    process.start()
    there.close()
    last = ""
    try:
        while True:
            try:
                said = here.recv()
            except EOFError:  # ended by the limit
                return f"after {last}", [float(LIMIT)]
            if said[0] == "end":
                _, piece, times = said
                slow = times[-1] > HARMLESS and times[-1] > GROWTH * times[-2]
                return (piece, times) if slow else None
            last = said[0]
    finally:
        process.kill()
        process.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    found = patterns()
    bad = 0
    for (pattern, flags), places in sorted(found.items(), key=lambda item: (sorted(item[1]), item[0])):
        if given.list:
            print(min(places), repr(pattern)[:120])
        elif (slow := grows(pattern, flags)) is not None:
            bad += 1
            times = ", ".join(f"{1000 * seconds:.0f}" for seconds in slow[1])
            print(f"{min(places)}: {pattern!r:.160}\n    {slow[0]} repeated: {times} ms")
    print(f"{len(found)} expressions, {bad} grow faster than their text")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
