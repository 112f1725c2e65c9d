"""How much text is read at once: the limits of `Settings`, checked before any work is done."""

from __future__ import annotations

from collections.abc import Sequence

from proofing.documents import Source
from proofing.errors import BadInput
from proofing.settings import Settings


class TooMuch(BadInput):
    """A text over a limit; `field` is ``answer`` or ``sources``."""

    def __init__(self, said: str, field: str) -> None:
        super().__init__(said)
        self.field = field


def check_sizes(answer: str, sources: Sequence[Source], settings: Settings) -> None:
    """Refuse what is too long to be read.

    Raises:
        TooMuch: the answer or a source has more words than allowed, or there are more sources.
    """
    check_length(answer, settings.max_answer_words, "the answer", "answer")
    check_count(sources, settings)
    for source in sources:
        check_length(source.text, settings.max_source_words, f"source {source.id!r}", "sources")


def check_count(sources: Sequence[object], settings: Settings) -> None:
    """Refuse more sources than allowed."""
    if len(sources) > settings.max_sources:
        said = f"{len(sources)} sources are more than the {settings.max_sources} allowed: send the best ones"
        raise TooMuch(said, "sources")


def check_length(text: str, most: int, where: str, field: str) -> None:
    """Refuse a text of more than `most` words."""
    count = len(text.split())
    if count > most:
        raise TooMuch(f"{where} has {count} words, more than the {most} allowed: split it or raise the limit", field)
