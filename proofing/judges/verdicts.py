"""What a reply says: a JSON verdict, a plain yes or no, an echo of somebody's orders, or nothing usable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from proofing.judges.prompt import AS_JSON, AS_WORD, TASK, fence_of, orders_in
from proofing.judges.votes import Case

#: Replies are read up to here, reasons and words kept up to there: a judge may say anything at any length.
LONGEST_REPLY, LONGEST_REASON, LONGEST_WORDS, MOST_WORDS = 20_000, 600, 300, 20
#: So many words in a row are no chance: a reason that shares them with an order repeats it.
RUN = 6
_WORD = re.compile(r"\w+")
_PLAIN = re.compile(r"\W*(?:(?:final )?(?:answer|verdict)\W{1,4})?(yes|no)\b(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A usable reply."""

    unsupported: bool
    reason: str = ""
    words: tuple[str, ...] = ()


def json_verdict(reply: str) -> Verdict | None:
    """The verdict of a reply that is, or holds, one JSON object; None when there is none or they disagree.

    >>> json_verdict('Sure! ```json\\n{"unsupported": true, "reason": "No source says so.", "words": ["blue"]}\\n```')
    Verdict(unsupported=True, reason='No source says so.', words=('blue',))
    >>> json_verdict('{"unsupported": "perhaps"}') is None
    True
    """
    found = [verdict for record in objects_in(reply[:LONGEST_REPLY]) if (verdict := _verdict(record)) is not None]
    if not found or any(verdict.unsupported != found[0].unsupported for verdict in found):
        return None
    return found[0]


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text, outermost ones, in order; broken ones are passed over."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    tried = 0
    while at >= 0 and tried < 200:  # a reply of nothing but brackets is given up
        tried += 1
        try:
            record, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(record, dict):
                yield record
        at = text.find("{", end)


def _verdict(record: dict[str, Any]) -> Verdict | None:
    said = record.get("unsupported")
    if isinstance(said, str):
        said = {"true": True, "yes": True, "false": False, "no": False}.get(said.strip().lower())
    if not isinstance(said, bool):
        return None
    reason, words = record.get("reason"), record.get("words")
    listed = words if isinstance(words, list) else [words] if isinstance(words, str) else []
    kept = [_clean(word)[:LONGEST_WORDS] for word in listed if isinstance(word, str) and word.strip()]
    return Verdict(
        said,
        _clean(reason)[:LONGEST_REASON] if isinstance(reason, str) else "",
        tuple(dict.fromkeys(kept))[:MOST_WORDS],
    )


def _clean(text: str) -> str:
    """The text without what cannot be stored or shown: NUL, halves of surrogate pairs, line breaks."""
    return " ".join(text.encode("utf-8", "ignore").decode().replace("\0", " ").split())


def plain_verdict(reply: str) -> Verdict | None:
    """The verdict of a reply that begins with yes or no and does not take it back.

    >>> plain_verdict("**Yes**, the date is wrong."), plain_verdict("Yes and no.")
    (Verdict(unsupported=True, reason='', words=()), None)
    >>> plain_verdict("I cannot help with that.") is None
    True
    """
    match = _PLAIN.match(reply[:LONGEST_REPLY].strip())
    if match is None:
        return None
    said = match[1].lower()
    other = "no" if said == "yes" else "yes"
    if re.search(rf"\b{other}\b", match[2][:80], re.IGNORECASE):
        return None
    return Verdict(said == "yes")


def is_echo(reply: str, case: Case) -> bool:
    """Whether a reply repeats what it was told instead of judging: our own instructions, or orders in the texts.

    Three signs: the mark of the fences, a verdict that stands word for word in a text under review, or a run of
    `RUN` words out of our instructions or out of an order in the texts. Quoting a source otherwise is no echo.
    """
    reply = reply[:LONGEST_REPLY]
    if fence_of(case) in reply:
        return True
    said = [record for record in objects_in(reply) if "unsupported" in record]
    texts = (case.question, case.answer, *(source.text for source in case.sources))
    if any(
        record == planted for text in texts if "unsupported" in text for planted in objects_in(text) for record in said
    ):
        return True
    orders = [TASK, AS_JSON, AS_WORD, *(order for _, order in orders_in(case))]
    own = _runs(reply)
    return any(own & _runs(order) for order in orders)


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
