"""What a removal leaves around it: no heading over nothing, no empty lines at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proofing.documents import Span

#: A Markdown heading, or a line that is all bold.
_HEADING = re.compile(r"[ \t]{0,3}(?:#{1,6}[ \t]+[^\n]*|\*\*[^*\n]+\*\*:?[ \t]*)(?:\n|\Z)")
LONGEST_HEADING = 160
_HEADING_ABOVE = re.compile(
    r"(?:\A|(?<=\n))(?P<line>[ \t]{0,3}(?:#{1,6}[ \t]+[^\n]{1,120}"
    r"|\*\*[^*\n]{1,120}\*\*:?)[ \t\r]*)(?:\n[ \t\r]*){0,3}\Z"
)


def with_headings(text: str, spans: Sequence[Span]) -> list[Span]:
    """Spans that go, each with the heading above it where nothing else is left under that.

    >>> with_headings("## Tea\\n\\nIt is free.\\n\\n## Milk\\n\\nNone.", [Span(8, 21)])
    [Span(start=0, end=21)]
    """
    gone = {span.start: span.end for span in spans}
    result = []
    for span in spans:
        end = span.end
        above = _HEADING_ABOVE.search(text, max(0, span.start - LONGEST_HEADING), span.start)
        while above and (end in gone or (end < len(text) and text[end].isspace())):
            end = gone.get(end, end + 1)
        alone = above is not None and (end >= len(text) or _HEADING.match(text, end) is not None)
        result.append(Span(above.start("line"), span.end) if above and alone else span)
    return result


def with_gap(text: str, spans: Sequence[Span]) -> list[Span]:
    """Spans that go, in order; those that go from the end of the text take the empty lines before them along, once."""
    result = list(spans)
    at = len(result) - 1
    if at < 0 or text[result[at].end :].strip():
        return result
    while at and not text[result[at - 1].end : result[at].start].strip():
        at -= 1
    result[at] = Span(len(text[: result[at].start].rstrip()), result[at].end)
    return result
