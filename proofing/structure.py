"""The structure around a stretch of text: headings, lists, tables (Markdown, tab-separated, HTML) and records.

A value in a table belongs to its row and column, a value in a record to its keys. What is found here is only
where things stand and what stands over them; nothing is interpreted but the scale of a table ("in millions").
Passages are in text order and never overlap. All scans are linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from proofing.documents import Passage
from proofing.records import Field, read_record
from proofing.sentences import blocks

_SCALES = {
    "thousand": 1_000, "tausend": 1_000, "tsd": 1_000, "mil": 1_000, "mille": 1_000, "migliaia": 1_000,
    "million": 1_000_000, "mio": 1_000_000, "millon": 1_000_000, "milion": 1_000_000, "milh": 1_000_000,
    "billion": 10**9, "milliard": 10**9, "mrd": 10**9, "crore": 10**7, "lakh": 10**5, "тыс": 1_000, "млн": 10**6,
    "t€": 1_000, "teur": 1_000, "k€": 1_000,
    "млрд": 10**9, "k": 1_000, "m": 10**6, "mn": 10**6, "mm": 10**6, "bn": 10**9, "b": 10**9, "000": 1_000,
}  # fmt: skip
_SCALE = re.compile(
    r"\b(?:in|en|em|в)\s+(?:(?:US)?[$€£¥₹]\s?|[A-Z]{3}\s|EUR\s|US\s?dollars\s)?(?P<word>thousand|tausend|tsd|mille\b|migliaia|"
    r"million|mio|mill[oó]n|milion|milh|billion|milliard|mrd|crore|lakh|тыс|млн|млрд)\w*"
    r"|[(\[,]\s?(?:(?:US)?[$€£¥₹]|[A-Z]{3}|USD|EUR)?\s?['’]?(?P<sign>k|mn|mm|m|bn|b|000)s?\s?(?:[$€£]|[A-Z]{3})?\s?[)\]]"
    r"|(?:US)?[$€£]\s?['’]?(?P<tail>k|mn|m|bn|000)s?\b"
    r"|(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF))\s(?P<led>thousand|million|billion|tausend|mio|mrd|tsd)s?\b|\b(?P<short>T€|TEUR\b|k€)"
    r"|[(\[,]\s?(?:(?:US)?[$€£¥₹]|[A-Z]{3})?\s?(?P<plain>thousand|million|billion|mio|mrd|tsd)s?\.?\s?(?:[$€£]|[A-Z]{3}|euros?|dollars?)?\s?[)\]]",
    re.IGNORECASE,
)
#: What the scaled figures are of: "in millions of euros", "en millones de pesos", "in Mio. Euro".
_OF_WHAT = re.compile(r"\.?\s{1,3}(?:(?:of|de|di|d['’])\s?)?(?:US\s)?[$€£¥₹]?[^\W\d_]{0,12}", re.IGNORECASE)
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(\S.*?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•·‣–▪◦][ \t]+|\(?\d{1,3}[.)][ \t]+|\(?[a-zA-Z][.)][ \t]+)\S")
_TAG = re.compile(r"<(/?)(table|tr|th|td|caption)\b[^<>]{0,500}>", re.IGNORECASE)
_INNER_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
#: A line parted from its table by an empty line is its caption only when it is no longer than this.
CAPTION = 120
#: An item of a list belongs to at most so many items above it, so that one deep list costs no more than a flat one.
DEEPEST = 6
_SEPARATOR = frozenset("|:-+ \t\r")


def find_passages(text: str) -> tuple[Passage, ...]:
    """See `proofing.documents.passages_of`."""
    found: list[Passage] = []
    position = 0
    opening = text.lstrip()[:1]
    if opening and opening in "{[":
        fields, position = read_record(text, text.index(opening))
        found += map(_field_passage, fields)
    for start, end, passages in _html_tables(text, position):
        found += _plain(text, position, start)
        found += passages
        position = end
    found += _plain(text, position, len(text))
    return tuple(found)


def scale_in(text: str) -> tuple[Fraction, str]:
    """What "in millions" (in any of the languages read) multiplies by, with the words; (1, "") without such words.

    >>> scale_in("Revenue (in millions)")
    (Fraction(1000000, 1), 'in millions')
    >>> scale_in("Revenue (in millions of euros)")[1]
    'in millions of euros'
    >>> scale_in("Revenue")
    (Fraction(1, 1), '')
    """
    match = _SCALE.search(text[:400])
    if match is None:
        return Fraction(1), ""
    name = next(word for word in match.groups() if word).lower().replace("ó", "o")
    unit = _OF_WHAT.match(text, match.end()) if match["word"] else None
    return Fraction(_SCALES[name]), text[match.start() : unit.end() if unit else match.end()].strip("([,)] ")


def _field_passage(field: Field) -> Passage:
    return Passage(field.start, field.end, "field", key_path=field.path, context=field.path[:-1])


def _plain(text: str, begin: int, end: int) -> Iterator[Passage]:
    """Headings, items, pipe and tab tables, records on lines of their own, prose."""
    if begin >= end:
        return
    part = text[begin:end] if (begin, end) != (0, len(text)) else text
    lines = [(begin + s, begin + e) for s, e in blocks(part)]
    headings: list[tuple[int, str]] = []
    parents: list[tuple[int, str]] = []
    opener = ""
    index = 0
    while index < len(lines):
        start, stop = lines[index]
        line = text[start:stop]
        stripped = line.strip()
        if not stripped:
            index += 1
            continue
        over = tuple(title for _, title in headings)
        mark = "|" if "|" in line else "\t" if "\t" in stripped else ""
        height = _table_height(text, lines, index, mark) if mark else 0
        if height:
            caption = _caption(text, lines, index)
            yield from _pipe_table(text, lines[index : index + height], mark, over, caption)
            index += height
            continue
        if (
            stripped[0] in "{["
            and len(stripped) > 1
            and (fields := read_record(text, start + line.index(stripped[0]))[0])
        ):
            yield from (replace(_field_passage(f), context=over + f.path[:-1]) for f in fields)
            while index < len(lines) and lines[index][0] < fields[-1].end:
                index += 1
            continue
        index += 1
        heading = _HEADING.match(line.rstrip("\r\n"))
        if heading:
            depth = len(heading[1])
            headings = [h for h in headings if h[0] < depth] + [(depth, heading[2])]
            opener, parents = "", []
            yield Passage(start, stop, "heading", over)
        elif item := _ITEM.match(line):
            depth = len(line[: len(line) - len(line.lstrip())].expandtabs(4))
            parents = [parent for parent in parents if parent[0] < depth][-DEEPEST:]
            above = (*((opener,) if opener else ()), *(title for _, title in parents))
            yield Passage(start, stop, "item", over + above)
            if len(stripped) <= CAPTION:
                parents.append((depth, _plain_text(line[item.end() - 1 :]).rstrip(" :*_")))
        else:
            if not line[0].isspace():
                parents = []
            opener = stripped if stripped.endswith(":") else ""
            yield Passage(start, stop, "prose", over)


def _caption(text: str, lines: list[tuple[int, int]], index: int) -> str:
    """The line over a table, with at most one empty line between them; "" when it is long prose."""
    for above in (index - 1, index - 2):
        if above < 0:
            return ""
        line = text[slice(*lines[above])]
        if line.strip():
            return line if above == index - 1 or len(line) <= CAPTION else ""
    return ""


def _is_separator(line: str) -> bool:
    return "-" in line and len(line) < 2000 and set(line.rstrip("\n")) <= _SEPARATOR


def _table_height(text: str, lines: list[tuple[int, int]], index: int, mark: str) -> int:
    """How many lines from `index` on are rows of one table; 0 when it is no table."""
    first = text[slice(*lines[index])].strip(" \r\n")
    width = first.strip("|").count(mark) + 1
    ruled = index + 1 < len(lines) and _is_separator(text[slice(*lines[index + 1])].strip())
    if width < 2 and not ruled:
        return 0
    last = index + 1
    while last < len(lines):
        line = text[slice(*lines[last])].strip(" \r\n")
        if mark not in line or not (ruled or line.strip("|").count(mark) + 1 == width):
            break
        last += 1
    return last - index if last - index >= 2 else 0


def _pipe_table(
    text: str, rows: list[tuple[int, int]], mark: str, over: tuple[str, ...], caption: str
) -> Iterator[Passage]:
    cells = [_split_row(text, start, stop, mark) for start, stop in rows if not _is_separator(text[start:stop].strip())]
    yield from _cells(text, cells, over, caption)


def _split_row(text: str, start: int, stop: int, mark: str) -> list[tuple[int, int]]:
    """Spans of the cells of a row, white space trimmed; a backslash keeps a pipe in its cell."""
    spans = []
    begin = start
    for position in [*_positions(text, mark, start, stop), stop]:
        spans.append(_trim(text, begin, position))
        begin = position + 1
    if mark == "|":
        if spans and spans[0][0] == spans[0][1]:
            spans = spans[1:]
        if len(spans) > 1 and spans[-1][0] == spans[-1][1]:
            spans = spans[:-1]
    return spans


def _positions(text: str, mark: str, start: int, stop: int) -> Iterator[int]:
    position = text.find(mark, start, stop)
    while position >= 0:
        if position == 0 or text[position - 1] != "\\":
            yield position
        position = text.find(mark, position + 1, stop)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _cells(
    text: str, rows: list[list[tuple[int, int]]], over: tuple[str, ...], caption: str, has_header: bool = True
) -> Iterator[Passage]:
    """Passages of the cells of a table whose first row holds the column headers."""
    if not rows:
        return
    header = [_plain_text(text[s:e]) for s, e in rows[0]] if has_header else []
    whole, whole_words = scale_in(" ".join([*over[-1:], caption]))
    if whole == 1 and header:
        whole, whole_words = scale_in(header[0])
    scales = [scale_in(h) for h in header]
    for number, row in enumerate(rows):
        label = _plain_text(text[slice(*row[0])]) if row else ""
        row_scale = scale_in(label)
        for column, (start, end) in enumerate(row):
            head = header[column] if column < len(header) else ""
            if number == 0 and has_header:
                yield Passage(start, end, "cell", over, row="", column="")
                continue
            scale, words = scales[column] if column < len(scales) else (Fraction(1), "")
            if scale == 1:
                scale, words = row_scale if row_scale[0] != 1 else (whole, whole_words)
            yield Passage(start, end, "cell", over, label if column else "", head, (), scale, words)


def _plain_text(cell: str) -> str:
    """A header without Markdown emphasis and inner tags."""
    return _INNER_TAG.sub(" ", cell).replace("**", "").replace("`", "").strip(" *_\t\r\n")


def _html_tables(text: str, begin: int) -> Iterator[tuple[int, int, list[Passage]]]:
    """Each HTML table with its cells; nested tables are read as part of the outer one."""
    if "<" not in text:
        return
    tags = list(_TAG.finditer(text, begin))
    index = 0
    while index < len(tags):
        tag = tags[index]
        if tag[1] or tag[2].lower() not in ("table", "tr"):
            index += 1
            continue
        rows, caption, last = _html_rows(text, tags, index)
        if rows:
            yield tag.start(), tags[last].end(), list(_cells(text, rows, (), caption))
        index = last + 1


def _html_rows(text: str, tags: list[re.Match[str]], index: int) -> tuple[list[list[tuple[int, int]]], str, int]:
    rows: list[list[tuple[int, int]]] = []
    caption = ""
    opened: tuple[str, int] | None = None
    for last in range(index, len(tags)):
        tag = tags[last]
        name, closing = tag[2].lower(), bool(tag[1])
        if opened is not None:
            span = _trim(text, opened[1], tag.start())
            if opened[0] == "caption":
                caption = text[slice(*span)]
            elif rows:
                rows[-1].append(span)
            opened = None
        if name == "tr" and not closing:
            rows.append([])
        elif name in ("td", "th", "caption") and not closing:
            if not rows and name != "caption":
                rows.append([])
            opened = (name, tag.end())
        elif name == "table" and closing:
            return [r for r in rows if r], caption, last
    return [r for r in rows if r], caption, len(tags) - 1


def passage_index(passages: tuple[Passage, ...], position: int) -> int | None:
    """Index of the passage that holds `position`; None when it stands in none."""
    index = bisect_right(passages, position, key=lambda p: p.start) - 1
    return index if index >= 0 and passages[index].end > position else None
