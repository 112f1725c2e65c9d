"""Looks for regular expressions of ours that take more than linear time on hostile text.

    python bench/regexes.py            every expression; prints those that grow too fast, exit status 1
    python bench/regexes.py --list     where they stand

Every ``re.compile``, ``re.search`` … call whose pattern can be computed from its module is found by importing modules
and walking their values and the syntax trees of their functions. Each is run on strings pumped from its own pieces
(what its repeats accept, followed by what they do not). One that takes longer than `NOTICED` is run at doubling
lengths, and named when a doubling costs more than `GROWTH` times the time on the whole (4 is quadratic) and the longest
run takes long enough to matter at the lengths that get here. Times are of the processor, the least of three: a busy
machine changes nothing. `tests/test_regexes.py` does the same with every run of the tests.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
#: Every text is tried at the first length, what takes `NOTICED` seconds there at all of them.
LENGTHS = (1000, 2000, 4000, 8000)
NOTICED = 0.0002  # the cheapest square takes 0.9 ms at the first length on a fast machine
#: Quadratic is 4 for each doubling; what stays under `HARMLESS` seconds at the longest is let through.
GROWTH, HARMLESS = 3.0, 0.04
LIMIT = 5.0  # seconds of processor time of one expression on one text
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
    searched: set[str] = set()
    for package in ("proofing", "webapp"):
        for info in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if ".migrations" in info.name or info.name.endswith("__main__"):
                continue
            module = importlib.import_module(info.name)
            sources[info.name] = Path(str(module.__file__)).read_text(encoding="utf-8")
            for pattern, anchored in [*((one, False) for one in _walk(vars(module), set())), *_inside(module)]:
                if isinstance(pattern.pattern, str):
                    found.setdefault((pattern.pattern, pattern.flags), set()).add(info.name)
                    (ANCHORED if anchored else searched).add(pattern.pattern)
    ANCHORED.difference_update(searched)
    _find_anchored(sources)
    return found


#: Expressions that are only ever matched where a text begins: a search begins anew at each sign, a match does not.
ANCHORED: set[str] = set()
#: What may follow the name of such an expression: a match, its own definition, or an import.
_MATCHED = r"\.(?:fullmatch|match|pattern)\b|\s*(?::[^=\n]+)?= |\s*,?\s*(?:#.*)?$"


def _find_anchored(sources: dict[str, str]) -> None:
    for module, source in sources.items():
        for name in re.findall(r"^(_?[A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = re\.compile\(", source, re.MULTILINE):
            imported = rf"from {re.escape(module)} import (?:\([^)]*|[^\n]*)\b{name}\b"
            readers = [text for text in sources.values() if text is source or re.search(imported, text)]
            if not any(re.search(rf"\b{name}\b(?!{_MATCHED})", text, re.MULTILINE) for text in readers):
                ANCHORED.add(vars(sys.modules[module])[name].pattern)


def _inside(module: Any) -> Iterator[tuple[re.Pattern[Any], bool]]:
    """What functions compute from the module's own names, and whether it is only matched where a text begins."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    matched = {  # re.compile(…).match(…)
        id(node.func.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in BEGINNING
    }
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        for node in ast.walk(function):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if getattr(node.func.value, "id", "") != "re" or not node.args or node.func.attr in ("escape", "purge"):
                continue
            try:
                pattern = eval(compile(ast.Expression(node.args[0]), "re", "eval"), vars(module).copy())
                flags = eval(compile(ast.Expression(_flags(node)), "re", "eval"), vars(module).copy())
                compiled = re.compile(pattern, flags) if isinstance(pattern, str) else pattern
            except Exception:
                continue  # made from arguments: its compiled forms are in caches and tables, if anywhere
            yield compiled, node.func.attr in BEGINNING or id(node) in matched


#: Methods that look at one place of a text only.
BEGINNING = ("match", "fullmatch")


def _flags(call: ast.Call) -> ast.expr:
    """The flags of a call of `re`, by name or, where a call names them so, by their place."""
    place = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2}.get(call.func.attr, 9)  # type: ignore[attr-defined]
    by_name = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    return (by_name + call.args[place : place + 1] + [ast.Constant(0)])[0]


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
    """(piece, text): one piece over and over, with an end that matches nothing."""
    for piece in pumps(pattern):
        yield piece, (piece * (length // len(piece) + 1))[:length] + "\x01"


class TooLong(Exception):
    """A run was cut off."""


def seconds(compiled: re.Pattern[str], text: str) -> float:
    """Processor time of matching `text` in each way the expression is used; `LIMIT` when it was cut off there."""

    def cut(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, cut)  # the engine of `re` looks for signals while it backtracks
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    begun = time.thread_time()  # the clock of the process moves in steps of milliseconds while its timer runs
    try:
        compiled.match(text)
        compiled.fullmatch(text)
        if compiled.pattern not in ANCHORED:
            for _ in compiled.finditer(text):
                pass
    except TooLong:
        return LIMIT
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.thread_time() - begun


def grows(pattern: str, flags: int) -> tuple[str, list[float]] | None:
    """The piece and the times of an expression that takes too long; None for a good one."""
    compiled = re.compile(pattern, flags)
    for piece, text in hostile(pattern, LENGTHS[0]):
        if (first := seconds(compiled, text)) < NOTICED:
            continue
        if first >= LIMIT:
            return piece, [first]
        times = []
        for length in LENGTHS:
            text = dict(hostile(pattern, length))[piece]
            times.append(min(seconds(compiled, text) for _ in range(3)))
            if times[-1] >= LIMIT:
                return piece, times
        if times[-1] > HARMLESS and times[-1] > GROWTH ** (len(LENGTHS) - 1) * times[0]:
            return piece, times
    return None


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
            print(f"{min(places)}: {pattern!r:.160}\n    {slow[0]!r} repeated: {times} ms")
    print(f"{len(found)} expressions, {bad} grow faster than their text")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
