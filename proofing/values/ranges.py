"""Two values that are one: ranges, scores and odds, and shares in words.

One end lends the other its unit: "5 to 7 percent" runs from 5 to 7 percent.

>>> from proofing.values import find_values, same
>>> texts = ["5–7 days", "5-7 days", "5 to 7 days", "between 5 and 7 days", "5 days to 7 days", "from five to seven days"]
>>> all(same(find_values(t)[0], find_values("5-7 days")[0]) for t in texts)
True
>>> [e.text for e in find_values("a rise of $5 to $7 million")[0].ends]
['$5', '$7 million']
>>> [(v.kind, v.text) for v in find_values("2021–2023, March 3 to March 9, 9 to 5 pm, 8:0-18:0, up 11-16%")]
[('range', '2021–2023'), ('range', 'March 3 to March 9'), ('range', '9 to 5 pm'), ('range', '8:0-18:0'), ('range', '11-16%')]
>>> [(v.text, v.dimension) for v in find_values("They won 3-1. The odds are 10 to 1. One in five left, 3 out of 10 stayed.")]
[('3-1', 'score'), ('10 to 1', 'score'), ('One in five', 'ratio'), ('3 out of 10', 'ratio')]
>>> [(v.text, v.dimension) for v in find_values("It was 120/80 mmHg, later 135 over 85; a 70/30 split.")][:2]
[('120/80 mmHg', 'score'), ('135 over 85', 'score')]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from proofing.documents import Span
from proofing.values import clock, context
from proofing.values.base import Reading, Value, _days
from proofing.values.draft import Draft
from proofing.values.page import Page, word_at

#: What the finder reads at a place: a finished value, a number whose unit is still open, or nothing.
Item = Value | Draft
Reader = Callable[[Page, int, int], Item | None]

_CONNECTOR = re.compile(
    r"(?:(?P<tight>[-–—‐‑~〜])|[ \u00a0]?(?P<dash>[–—-]|\.\.\.?|…)[ \u00a0]?|[ \u00a0\n](?P<word>to|through|thru|until|till|up to|bis(?: zu)?|a|à|al|au|ao|até|hasta|fino a|до|по|"
    r"(?P<and>and|und|et|y|e|и)|(?P<share>in|out of(?: every)?|in every|of every|von|sur|su|de cada|em cada|из))[ \u00a0\n])"
    r"(?:(?:about|around|roughly|nearly|the|as much as|as many as|au|dem|zum)[ ])?"
)
#: The first words of `_CONNECTOR` behind a blank.
_JOINING = frozenset(
    "to through thru until till up bis a à al au ao até hasta fino до по and und et y e и in out of von sur su de em из".split()
)
_BLANKS = frozenset(" \u00a0\n")
_BETWEEN = re.compile(
    r"\b(?:between|zwischen|entre|tra|fra|между|both)[ ](?:about[ ]|roughly[ ]|the[ ]|dem[ ])?(?:\$|€|£)?$"
)
_FROM = re.compile(r"\b(?:from|von|vom|de|du|dal|desde|del|da|от|с)[ ](?:about[ ]|the[ ])?(?:\$|€|£)?$")
_CURRENCY = re.compile(
    r"(?:(?:US|CA|AU|NZ|HK|MX|[ACRS])?\$|[€£¥₹₽₩]|(?:USD|EUR|GBP|CHF|INR|JPY|Rs\.?)\s)?[-−+]?\s?(?=[\d½¼¾])"
)
_NEXT = re.compile(r"\d+|[^\W\d_]+")
_SCORE_LED = re.compile(
    r"\b(?:won|win|wins|beat|beats|lost|lose|loses|drew|draw|draws|tie|tied|score|scored|victory|defeat|lead|leading|led|final|vote|odds|ratio|offered|priced|quoted)\b[^.\d\n]{0,20}$"
)
_SEASON = re.compile(r"[-–/](\d{2})(?!\d|[/.-]\d|\s?(?:%|percent))")
_COLON = re.compile(r"(\d{1,5})[:∶](\d{1,5})(?![:\d]|\.\d)")
_PRESSURE = re.compile(
    r"(?P<upper>\d{2,3})(?:(?P<slash>[ ]?/[ ]?)|[ ](?P<joint>over|zu|sobre|sur|su|por|на)[ ])(?P<lower>\d{2,3})(?![\w%/€$£]|[.,:/]\d)"
    r"(?:[ ]?mm[ ]?(?:Hg|рт\.[ ]?ст\.?)|[ ]мм[ ]рт\.[ ]?ст\.?)?"
)
#: What `_PRESSURE` may go on with behind a blank: a slash, or the first letter of a joint.
PRESSURE_GOES_ON = "/ozspн"
_PRESSURE_LED = re.compile(r"blutdruck|tensi[óo]n|tension|presi[óo]n|pression|press[ãa]o|давлени|blood pressure")
_LETTERED = re.compile(r"[^\W\d_]")


def join(page: Page, first: Item, floor: int, read: Reader) -> Item | Value:
    """`first`, or the range, score or share that it opens."""
    text = page.text
    if first.end >= len(text) or text[first.end] not in " \u00a0\n-–—‐‑~〜.…/":
        return first
    if text[first.end] in _BLANKS and (word := word_at(page.low, first.end + 1)) and word not in _JOINING:
        return first
    season = _season(page, first)
    if season is not None:
        return season
    match = _CONNECTOR.match(page.low, first.end)
    if match is None:
        return first
    if match["and"] and not _BETWEEN.search(page.low[max(0, first.start - 24) : first.start]):
        return first
    if match["word"] in ("a", "e", "y", "à") and page.languages[:1] == ("en",):
        return first
    second = _second(page, match.end(), read)
    if second is None or second.end <= match.end():
        return first
    if match["share"]:
        return _share(page, first, second) or first
    if isinstance(first, Draft) and isinstance(second, Draft):
        return _numbers(page, first, second, match) or first
    return _values(page, first, second, match) or first


def pressure_at(page: Page, start: int) -> Value | None:
    """ "145/92", "120/80 mmHg", "120 over 80", "130 zu 85" after "Blutdruck": two figures, no share and no fraction."""
    text = page.text
    match = _PRESSURE.match(text, start)
    if match is None:
        return None
    told = match["slash"] or match["joint"] == "over"
    if not told and not _PRESSURE_LED.search(page.low[max(0, start - 90) : start]):
        return None
    upper, lower = int(match["upper"]), int(match["lower"])
    if not (lower < upper and lower >= 30 and upper >= 80):
        return None
    ends = tuple(
        Value(
            "number", match[name], *match.span(name),
            (Reading("count", Fraction(int(match[name])), "", Fraction(1)),), digits_span=Span(*match.span(name)),
        )
        for name in ("upper", "lower")
    )  # fmt: skip
    amounts = tuple(e.amount for e in ends)
    return Value(
        "number", match.group(), start, match.end(), (Reading("score", amounts),), ends=ends,
        digits_span=Span(start, match.end("lower")),
    )  # fmt: skip


def _second(page: Page, position: int, read: Reader) -> Item | None:
    """The value that begins at `position`, a currency sign before it included."""
    sign = _CURRENCY.match(page.text, position)
    start = sign.end() if sign else position
    if _NEXT.match(page.low, start) is None:
        return None
    found = read(page, start, position)
    return (
        found
        if (found is not None and found.start == position) or (found is not None and found.start <= start)
        else None
    )


def _season(page: Page, first: Item) -> Value | None:
    """ "2021-22": two years, the second cut short."""
    if not isinstance(first, Value) or first.kind != "date" or first.end - first.start != 4:
        return None
    match = _SEASON.match(page.text, first.end)
    amount = first.amount
    if match is None or not isinstance(amount, tuple) or not isinstance(amount[0], int):
        return None
    year = amount[0] - amount[0] % 100 + int(match[1])
    if not amount[0] < year <= amount[0] + 30:
        return None
    second = first._replace(text=match[1], start=match.start(1), end=match.end(1),
                     readings=(Reading("date", (year, None, None), "year"),), digits_span=Span(*match.span(1)))  # fmt: skip
    return range_of(page, first, second)


def _numbers(page: Page, first: Draft, second: Draft, match: re.Match[str]) -> Value | None:
    """A range or a score of two numbers."""
    if second.negative and not first.negative and match["tight"]:
        return None
    if not first.number.amounts or not second.number.amounts:
        return None
    before = page.low[max(0, first.start - 32) : first.start]
    low_amount, high_amount = first.number.amounts[0] * first.factor, second.number.amounts[0] * second.factor
    bare = first.unit is None and second.unit is None and first.factor == second.factor == 1
    whole = first.number.is_plain and second.number.is_plain
    if bare and whole and not match["and"]:
        spaced = bool(match["dash"]) and not match["tight"]
        led = _SCORE_LED.search(before) is not None
        words = match["word"] == "to"
        if (low_amount >= high_amount or (led and not words)) and max(low_amount, high_amount) < 1000 and not spaced:
            if _FROM.search(before) or (words and high_amount != 1 and not led):
                return None
            return _score(page, first, second)
    if match["dash"] and not match["tight"] and bare and not (whole and second.end < len(page.text)):
        return None
    first, second = _lend(first, second)
    if first.unit is not None and second.unit is not None:
        shared = {s.dimension for s in first.unit.scales} & {s.dimension for s in second.unit.scales}
        if not shared:
            return None
    elif first.unit is not second.unit:
        return None
    sides = first.value(page), second.value(page)
    if not _ascends(*sides):
        return None
    return range_of(page, *sides)


def _lend(first: Draft, second: Draft) -> tuple[Draft, Draft]:
    """Give the end without scale or unit those of the other."""
    if first.factor == 1 and second.factor > 1 and first.number.amounts[0] < 1000 and not first.suffixed:
        first = first._replace(factor=second.factor)
    if first.unit is None and second.unit is not None:
        first = first._replace(unit=second.unit, qualifier=second.qualifier)
    elif second.unit is None and first.unit is not None:
        second = second._replace(unit=first.unit, qualifier=first.qualifier)
    return first, second


def _score(page: Page, first: Draft, second: Draft) -> Value:
    ends = first.value(page), second.value(page)
    amount = tuple(e.amount for e in ends)
    text = page.text[first.start : second.end]
    return Value(
        "number",
        text,
        first.start,
        second.end,
        (Reading("score", amount),),
        ends=ends,
        digits_span=Span(first.start, second.end),
    )


def colon_score(page: Page, start: int, floor: int) -> Value | None:
    """ "3:1", "16:9" as a score or ratio."""
    match = _COLON.match(page.text, start)
    if match is None:
        return None
    ends = tuple(
        Value(
            "number",
            match[i],
            *match.span(i),
            (Reading("count", Fraction(int(match[i])), "", Fraction(1)),),
            digits_span=Span(*match.span(i)),
        )
        for i in (1, 2)
    )
    return Value(
        "number",
        match.group(),
        start,
        match.end(),
        (Reading("score", tuple(e.amount for e in ends)),),
        ends=ends,
        digits_span=Span(*match.span()),
    )


def _share(page: Page, first: Item, second: Item) -> Value | None:
    """ "one in five", "3 out of 10"."""
    if not isinstance(first, Draft) or not isinstance(second, Draft) or not first.is_bare or not second.is_bare:
        return None
    if not (first.number.is_plain and second.number.is_plain) or first.factor > 1:
        return None
    part, whole = first.number.amounts[0], second.number.amounts[0]
    between = page.low[first.end : second.start].strip()
    if (
        not 0 < part < whole
        or whole > 1000
        or (between == "in" and part > 20)
        or (between in ("von", "sur", "su", "из") and whole > 100)
    ):
        return None
    ends = first.value(page), second.value(page)
    return Value("number", page.text[first.start : second.end], first.start, second.end,
                 (Reading("ratio", part / whole),), approximate=ends[0].approximate, noun=context.noun_after(page, second.end),
                 ends=ends, digits_span=Span(first.start, second.end))  # fmt: skip


def _values(page: Page, first: Item, second: Item, match: re.Match[str]) -> Value | None:
    """A range of dates or clock times; a bare hour or day takes after its partner."""
    if isinstance(first, Draft) and isinstance(second, Value) and second.kind == "time":
        whole = first.number.amounts[0] if first.number.is_plain and first.is_bare else None
        if whole is None or not 0 <= whole <= 24:
            return None
        first = clock.time_of(page, first.start, first.end, int(whole), 0, 0, None, False)
    if isinstance(first, Draft) or isinstance(second, Draft):
        return None
    if first.kind != second.kind or first.kind not in ("date", "time", "ordinal"):
        return None
    if match["dash"] and not match["tight"] and first.kind == "ordinal":
        return None
    if first.kind == "date":
        first = _same_year(first, second)
        if not _ascends(first, second):
            return None
    return range_of(page, first, second)


def _same_year(first: Value, second: Value) -> Value:
    """ "March 3 to March 9, 2024": the year written once holds for both."""
    a, b = first.amount, second.amount
    if (
        isinstance(a, tuple)
        and isinstance(b, tuple)
        and len(a) == len(b) == 3
        and a[0] is None
        and a[1] is not None
        and isinstance(b[0], int)
    ):
        return first._replace(readings=(Reading("date", (b[0], *a[1:]), first.reading.unit),))
    return first


def _ascends(first: Value, second: Value) -> bool:
    for a, b in product(first.readings, second.readings):
        if isinstance(a.amount, Fraction) and isinstance(b.amount, Fraction):
            if a.dimension == b.dimension and a.amount < b.amount:
                return True
        elif isinstance(a.amount, tuple) and isinstance(b.amount, tuple):
            if len(a.amount) == len(b.amount) == 3 and a.amount[0] is None and b.amount[0] is None:
                return str((a.amount[1], a.amount[2])) != str((b.amount[1], b.amount[2]))
            days = _days(a.amount), _days(b.amount)
            if days[0] is not None and days[1] is not None:
                return days[0] < days[1]
            if a.amount[0] == b.amount[0] or (
                isinstance(a.amount[0], int) and isinstance(b.amount[0], int) and a.amount[0] < b.amount[0]
            ):
                return str(a.amount) != str(b.amount)
    return False


def range_of(page: Page, first: Value, second: Value) -> Value | None:
    """Both ends as one value; None where no readings of the two make a range ("8th to 6th" falls: two ordinals)."""
    readings = []
    for a, b in product(first.readings, second.readings):
        rising = not (isinstance(a.amount, Fraction) and isinstance(b.amount, Fraction)) or a.amount < b.amount
        if a.dimension == b.dimension and (rising or a.dimension == "clock"):
            readings.append(Reading(f"range:{a.dimension}", (a.amount, b.amount), b.unit or a.unit))
    if not readings:
        return None
    span = Span(first.start, second.end)
    return Value(
        "range", page.text[span.start : span.end], span.start, span.end, tuple(readings),
        approximate=first.approximate, period=second.period, period_span=second.period_span,
        qualifier=second.qualifier, qualifier_span=second.qualifier_span, noun=second.noun,
        note=first.note or second.note, ends=(first, second), digits_span=Span(first.digits_span.start, second.digits_span.end),
    )  # fmt: skip
