"""Names of code outside code spans: a flag, a variable or a function that no source has.

"--preview", "SIFT_ROOT" and "load_ledger()" are read by their form. Where the sources write code too and none has the
name, it is marked, and a name of the sources that differs in one part ("SIFT_HOME") is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from proofing.report import Receipt
from proofing.support.base import Judgement
from proofing.support.reading import Proof, TextView, receipt_on

_NAME = re.compile(
    r"(?<![\w./\\@:~=&?#%`*-])(?:--[A-Za-z][\w-]*\w|[A-Za-z]\w*(?:_\w+)+(?:\(\))?|[A-Za-z]\w*\(\))(?![\w/@]|\.\w|-\w)"
)
#: From so much alike on, a name of the sources is offered.
ALIKE = 0.6
UNKNOWN = 0.05


def code_names_unknown(proof: Proof) -> Iterator[Judgement]:
    """``absent`` or ``contradicted`` on each name of code that stands in no source and not in the question."""
    answer = proof.answer
    names = [m for m in _NAME.finditer(answer.text) if _stands_alone(answer, m.start())]
    if not names:
        return
    known = [
        (m.group().removesuffix("()"), view, m.span()) for view in proof.sources for m in _NAME.finditer(view.text)
    ]
    if not known:
        return
    for match in names:
        name = match.group().removesuffix("()")
        if any(_holds(view.text, name) for view in (*proof.sources, proof.question)):
            continue
        alike = max(known, key=lambda entry: SequenceMatcher(None, name, entry[0], autojunk=False).ratio())
        near = SequenceMatcher(None, name, alike[0], autojunk=False).ratio() >= ALIKE and alike[0] not in answer.text
        yield _judgement(answer, match, alike if near else None)


def _stands_alone(answer: TextView, start: int) -> bool:
    """Whether no address, code span or other value holds the name."""
    value = answer.value_at(start)
    return value is None or value.kind == "identifier"


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _judgement(
    answer: TextView, match: re.Match[str], alike: tuple[str, TextView, tuple[int, int]] | None
) -> Judgement:
    start, end = match.span()
    swap: tuple[str, ...] = ()
    if alike is None:
        receipt = Receipt(None, note="no source has this name")
    else:
        name, view, span = alike
        receipt = receipt_on(view, *span, f"the source has {name!r}")
        swap = (name + ("()" if match.group().endswith("()") else ""),)
    return Judgement(
        start, end, match.group(), "code", UNKNOWN, "contradicted" if swap else "absent", receipt, swap,
        note=receipt.note or "", whole=True, channel="quotes",
    )  # fmt: skip
