"""Clock times, in minutes after midnight: "5:30 PM", "17:30", "17h30", "noon", "half past six", "8:0".

>>> from proofing.values import find_values, same
>>> pm, day = find_values("It closes at 5:30 PM, that is 17:30.")
>>> (pm.kind, str(pm.amount), same(pm, day))
('time', '1050', True)
>>> [str(r.amount) for r in find_values("at 5:30")[0].readings]      # morning or afternoon: nothing says
['330', '1050']
>>> [str(r.amount) for r in find_values("from 5:30, closing at 17:30")[0].readings]
['330']
>>> [v.text for v in find_values("open 8:0-18:0, a 3:1 lead, ratio 16:9, John 3:16")]
['8:0-18:0', '3:1', '16:9', '3:16']
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page

_HALF = r"(?P<half>[ap])\.?\s?m(?:\.|\b)"
_COLON = re.compile(
    rf"(?P<hour>\d{{1,2}})[¹²³]?[:∶](?P<minute>\d{{1,2}})(?::(?P<second>\d{{2}})(?:\.\d+)?)?(?!\d|:\d)(?:\s?{_HALF}|\s?(?P<clock>uhr|h(?:rs|ours)?\b|Z\b))?"
)
_POINT = re.compile(rf"(?P<hour>\d{{1,2}})\.(?P<minute>\d{{2}})(?!\d)\s?(?:{_HALF}|(?P<clock>uhr)\b)")
_HOURS = re.compile(rf"(?P<hour>\d{{1,2}})\s?(?:{_HALF}|(?P<clock>uhr\b(?:\s(?P<minute>\d{{2}})(?!\d))?|o['’]clock\b))")
_H_MINUTE = re.compile(r"(?P<hour>\d{1,2})\s?h\s?(?P<minute>[0-5]\d)(?![\d\w]|\s?min)")
_MILITARY = re.compile(r"(?P<hour>[01]\d|2[0-4])(?P<minute>[0-5]\d)\s?(?P<clock>h(?:rs|ours)\b)")
#: Letters that a time may go on with behind its hour and a blank: "h", "a.m.", "p.m.", "Uhr", "o'clock".
AFTER_HOUR = frozenset("hapuo")
_PART_OF_DAY = re.compile(r",?\s(?:in the\s(?P<part>morning|afternoon|evening)|at (?P<night>night))\b")
_ZONE = re.compile(r"\s(?:UTC|GMT|CES?T|EES?T|WES?T|BST|[ECMP][SDT]?T|E[SD]T|C[SD]T|M[SD]T|P[SD]T|JST|IST|MSK|ET|PT)\b")
_WORDS = {"noon": 720, "midday": 720, "midnight": 0, "mittags": 720, "mitternacht": 0, "mediodía": 720, "medianoche": 0,
          "minuit": 0, "midi": 720, "mezzogiorno": 720, "mezzanotte": 0, "полдень": 720, "полночь": 0}  # fmt: skip
WORDS = frozenset(_WORDS)
_SMALL = {w: n for n, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_PAST = re.compile(rf"(half|quarter|five|ten|twenty)\s(past|to)\s({'|'.join(_SMALL)}|\d{{1,2}})\b")
_SMALL_HOUR = re.compile(rf"({'|'.join(_SMALL)})\s(?:o['’]clock|(?P<half>[ap])\.?m(?:\.|\b))")
_NOT_BEFORE = re.compile(
    r"(?:\b(?:ratio|score|odds|psalms?|john|luke|mark|matthew|genesis|chapter|verse|aspect|won|lost|beat|scored?|win|lead|draw)\s(?:of\s|was\s|is\s|to\s|by\s)?)$"
)
_AT = re.compile(r"\b(?:at|by|until|till|around|is|was|it['’]s) $")
PAST_WORDS = frozenset({"half", "quarter", "five", "ten", "twenty"})
HOUR_WORDS = frozenset(_SMALL)


def at_digits(page: Page, start: int, floor: int) -> Value | None:
    """The clock time that begins with the digits at `start`."""
    low = page.low
    match = None
    for pattern in (_COLON, _H_MINUTE, _POINT, _HOURS, _MILITARY):
        match = pattern.match(low, start)
        if match:
            break
    if match is None:
        return None
    fields = match.groupdict()
    hour, minute = int(match["hour"]), int(fields.get("minute") or 0)
    half, clock, second = fields.get("half"), fields.get("clock"), fields.get("second")
    if hour > 24 or minute > 59 or (half and hour > 12 and half == "a"):
        return None
    if match.re is _COLON and not half and not clock and _is_ratio(page, start, match):
        return None
    if second and not half and hour == 0 and fields.get("clock") is None and _is_length(low, match.end()):
        return None
    end = match.end()
    if half and low[end - 1] == "." and low[match.start("half") + 1] != ".":
        end -= 1  # "5 pm." ends a sentence
    return time_of(
        page,
        start,
        end,
        hour,
        minute,
        int(second or 0),
        half,
        bool(clock and clock != "o'clock" and clock != "o’clock"),
        match.re is _H_MINUTE,
    )


def at_word(page: Page, start: int, floor: int) -> Value | None:
    """ "noon", "midnight", "half past six", "six o'clock"."""
    low = page.low
    match = _PAST.match(low, start)
    if match:
        hour = _SMALL.get(match[3]) or int(match[3])
        off = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20}[match[1]]
        minutes = hour * 60 + off if match[2] == "past" else hour * 60 - off
        if match[1] in ("five", "ten", "twenty") and not _AT.search(low[max(0, start - 12) : start]):
            return None
        if not 1 <= hour <= 12 or (match[1] == "half" and match[2] == "to"):
            return None
        return time_of(page, start, match.end(), *divmod(minutes, 60), 0, None, False)
    match = _SMALL_HOUR.match(low, start)
    if match:
        return time_of(page, start, match.end(), _SMALL[match[1]], 0, 0, match["half"], False)
    end = start
    while end < len(low) and low[end].isalpha():
        end += 1
    minutes_ = _WORDS.get(low[start:end])
    if minutes_ is None or (low[start:end] in ("midi", "minuit") and not _is_french(page, start)):
        return None
    readings = [Reading("clock", Fraction(minutes_), "")]
    if minutes_ == 0:
        readings.append(Reading("clock", Fraction(1440), ""))
    return Value("time", page.text[start:end], start, end, tuple(readings), digits_span=Span(start, end))


def _is_french(page: Page, start: int) -> bool:
    """Whether "midi" is noon here, and no name on an English price list."""
    return "fr" in page.languages or page.low[max(0, start - 3) : start].endswith("à ")


def _is_ratio(page: Page, start: int, match: re.Match[str]) -> bool:
    """ "3:1", "16:9", "John 3:16" are no times; "8:0" is one where records write hours that way."""
    before = page.low[max(0, start - 16) : start]
    if _NOT_BEFORE.search(before):
        return True
    if len(match["minute"]) == 1:
        nearby = page.low[match.end() : match.end() + 10] + before[-10:]
        return ":" not in nearby or match["minute"] != "0"
    return False


def _is_length(low: str, end: int) -> bool:
    return low.startswith((" long", " later", " into"), end)


def time_of(
    page: Page,
    start: int,
    end: int,
    hour: int,
    minute: int = 0,
    second: int = 0,
    half: str | None = None,
    certain: bool = False,
    or_length: bool = False,
) -> Value:
    """The time of day at ``[start, end)``.

    Args:
        half: "a" or "p" where the text says so; without it, and unless `certain`, hours up to 12 may be either.
        or_length: "2 h 15" may be a length of time as well.
    """
    text, low = page.text, page.low
    part = _PART_OF_DAY.match(low, end)
    if half is None and part and hour <= 12:
        half = "a" if part["part"] == "morning" else "p"
        if part["night"] and hour in (12, 1, 2, 3, 4):
            half = "a"
        end = part.end()
    if half:
        hour = hour if hour > 12 else hour % 12 + (12 if half == "p" else 0)
    minutes = Fraction(hour * 60 + minute) + Fraction(second, 60)
    amounts = [minutes]
    if minutes == 1440 or (hour == 0 and minute == 0 and half is None):
        amounts = [Fraction(0), Fraction(1440)]
    elif half is None and not certain and 1 <= hour <= 12 and text[start] != "0" and not page.has_24_hour_clock:
        amounts.append(minutes + 720 if hour < 12 else minutes - 720)
    zone = _ZONE.match(text, end)
    unit = zone.group().strip() if zone else ""
    note = f"{text[start:end]} may be before or after noon" if len(amounts) == 2 and 0 not in amounts else ""
    readings = tuple(Reading("clock", amount, unit) for amount in amounts)
    if second and not half and not zone and unit == "":
        readings += (Reading("time.seconds", (Fraction(hour * 60 + minute) * 60 + second), "second"),)
    if or_length and not zone:
        readings += (Reading("time.seconds", minutes * 60, "minute"),)
    return Value("time", text[start:end], start, end, readings, note=note, digits_span=Span(start, end))
