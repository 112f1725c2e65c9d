"""Optional judges: other models asked, over any OpenAI-compatible endpoint, whether an answer keeps to its sources.

Nothing else in the engine needs this room, and nothing leaves the machine unless somebody configured a judge and
asked it. The rooms inside, in the order data passes through them: `configuration` (who the judges are), `prompt`
(what they are asked), `panel` (asking, with limits, retries, budgets and a cache), `verdicts` (what a reply says),
`consensus` (what the votes amount to), `words` (where in the answer the named words stand), `stacking` (votes beside
the engine's probability) and `sanity` (whether a judge is worth asking).

>>> from proofing.judges import Vote, consensus_of
>>> votes = [Vote("a", "valid", True), Vote("b", "valid", True), Vote("c", "invalid")]
>>> found = consensus_of(votes, threshold=0.5)
>>> found.share, found.unsupported, found.valid, found.asked
(1.0, True, 2, 3)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proofing.judges.configuration import Judge, read_judges
    from proofing.judges.consensus import Consensus, consensus_of
    from proofing.judges.panel import Panel
    from proofing.judges.votes import Case, Vote

_HOMES = {
    "Case": "votes", "Consensus": "consensus", "Judge": "configuration", "Panel": "panel", "Vote": "votes",
    "consensus_of": "consensus", "read_judges": "configuration",
}  # fmt: skip

__all__ = ["Case", "Consensus", "Judge", "Panel", "Vote", "consensus_of", "read_judges"]


def __getattr__(name: str) -> Any:
    """Loaded when asked for: the command line mentions the judges and must not wait for them."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'proofing.judges' has no attribute {name!r}")
    return getattr(import_module(f"proofing.judges.{home}"), name)
