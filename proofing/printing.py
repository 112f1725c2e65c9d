"""Reports as text for people at a terminal."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofing.report import Edit, Healing, Mark, Report


def receipt_line(mark: Mark) -> str:
    """One mark on one line: what is marked, why, the nearest evidence and where it stands."""
    receipt = mark.receipt
    why = f"{mark.reason.replace('_', ' ')} ({mark.kind}, {mark.support:.2f})"
    head = f"{mark.start}-{mark.end} {_quoted(mark.text)} {why}"
    if receipt.source_id is None:
        return f"{head}: {_short(receipt.note or 'nothing close in the sources')}"
    line = f"{head}: {receipt.source_id} says {_quoted(receipt.text)}"
    if receipt.sentence_text and receipt.sentence_text != receipt.text:
        line += f" in {_quoted(receipt.sentence_text)}"
    for extra in (receipt.formula, receipt.note):
        if extra:
            line += f"; {_short(extra)}"
    return line


def report_text(report: Report) -> str:
    """One receipt line per mark, weakest first, then the verdict-free summary."""
    lines = [receipt_line(mark) for mark in report.marks]
    if not lines:
        weakest = [anchor.text for anchor in report.weakest()]
        lines.append("nothing marked" + (f"; weakest: {', '.join(map(_quoted, weakest))}" if weakest else ""))
    floor = report.finding.floor
    fired = f" ({', '.join(name.replace('_', ' ') for name in report.triggered)})" if report.triggered else ""
    summary = f"risk {report.risk}{fired}, unsupported probability {report.unsupported_probability:.2f}"
    lines.append(f"{summary}, floor {'none' if floor is None else format(floor, '.2f')}")
    drift = report.checks["drift"]
    if "drift" in report.triggered:
        lines.append(f"drift: distance {drift['distance']:.2f} from {drift['compared']} earlier answers")
    lines += [f"warning: {warning}" for warning in report.warnings]
    return "\n".join(lines)


def healing_text(report: Report) -> str:
    """The healed text, then the word diff when something changed."""
    healing = report.healing
    if healing is None or healing.text == report.answer:
        return report.answer
    return f"{healing.text}\n\n{word_diff(report.answer, healing)}"


def word_diff(answer: str, healing: Healing) -> str:
    """The change as ``[-old-]{+new+}``: by the edits where they give the healed text, else word by word."""
    edits = sorted(healing.edits, key=lambda edit: edit.start)
    if edits and _applied(answer, edits) == healing.text:
        parts, at = [], 0
        for edit in edits:
            parts += [answer[at : edit.start], _change(edit.old, edit.new)]
            at = edit.end
        return "".join([*parts, answer[at:]])
    return _word_by_word(answer, healing.text)


def _applied(answer: str, edits: Sequence[Edit]) -> str | None:
    parts, at = [], 0
    for edit in edits:
        if edit.start < at:
            return None
        parts += [answer[at : edit.start], edit.new]
        at = edit.end
    return "".join([*parts, answer[at:]])


def _word_by_word(old: str, new: str) -> str:
    a, b = _words(old), _words(new)
    out = []
    for _, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        left, right = "".join(a[i:j]), "".join(b[k:m])
        out.append(left if left == right else _change(left, right))
    return "".join(out)


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\S+", text)


def _change(old: str, new: str) -> str:
    return (f"[-{old}-]" if old else "") + (f"{{+{new}+}}" if new else "")


def _quoted(text: str) -> str:
    """In quotation marks, on one line, as much as one takes in; the report holds the whole of it."""
    return '"' + _short(" ".join(text.split())) + '"'


def _short(text: str, most: int = 160) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
