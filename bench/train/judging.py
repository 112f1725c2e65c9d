"""What the channels say of a sample of answers, kept on disk so that an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from proofing.engine import judge_all
from proofing.exchange.answers import AnswerLine
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import read

CHUNK = 250


def sample(lines: Sequence[AnswerLine], folds: Sequence[int], most: int) -> list[int]:
    """Places of at most `most` lines of the folds, chosen by a hash of source and answer, in the order of the file."""
    own = [i for i, line in enumerate(lines) if fold_of_source(line.group) in folds]
    return sorted(sorted(own, key=lambda i: _hash(f"sample {lines[i].group} {lines[i].answer}"))[:most])


def fold_of_source(group: str) -> int:
    """The fold of a source, by the hash that is its group."""
    return int(group[:8], 16) % 5


def judged(
    name: str, lines: Sequence[AnswerLine], tier: str, cache: Path, key: str, say: Callable[[str], None]
) -> list[tuple[Judgement, ...]]:
    """What the channels of a tier say of each line, without receipts; `key` = the state of the channels' code."""
    folder = cache / f"judged-{name}-{tier}-{key}-{_hash(chr(0).join(f'{e.group} {e.answer}' for e in lines))[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    found: list[tuple[Judgement, ...]] = []
    for start in range(0, len(lines), CHUNK):
        kept = folder / f"{start:06d}.pickle"
        if not kept.exists():
            began = time.monotonic()
            chunk = [_judged(line, tier) for line in lines[start : start + CHUNK]]
            part = kept.with_suffix(".part")
            part.write_bytes(pickle.dumps(chunk, protocol=5))
            part.rename(kept)
            each = (time.monotonic() - began) / len(chunk) * 1000
            say(f"{name} {start + len(chunk)}/{len(lines)} judged: {each:.1f} ms each")
        found += pickle.loads(kept.read_bytes())
    return found


def _judged(line: AnswerLine, tier: str) -> tuple[Judgement, ...]:
    said = judge_all(read(line.question, line.sources, line.answer, Settings(tier=tier))).judgements
    return tuple(replace(j, receipt=None, replacements=(), note="", operands=()) for j in said)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
