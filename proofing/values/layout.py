"""Digits that only number things: list enumerators, heading numbers, footnote marks. They are no values.

>>> from proofing.values import find_values
>>> [v.text for v in find_values("10. Keep it.\\n11. Pack it 2 times.\\n## 3.1 Results\\n(4) Send it[12] and pay[^3].")]
['2 times']
>>> [v.text for v in find_values("It has 3 modes: (1) slow, (2) fast and (3) off. The fee is 10. Pay soon.")]
['3', '10']
"""

from __future__ import annotations

import re

from proofing.values.calendar_words import MONTH_PATTERN
from proofing.values.page import Page

#: "3. März" at the start of a line is a date; "1. Set" is not.
_DATE_MONTHS = "|".join(m for m in MONTH_PATTERN.split("|") if len(m) > 3 or m in ("mai", "may"))
_LINE_LEAD = re.compile(r"(?:^|\n|<li>|\|)[ \t>*_#•·+–—-]{0,12}\(?$")
_HEADING_LEAD = re.compile(r"(?:^|\n)[ \t]*#{1,6}[ \t]+[*_]{0,2}$")
_ENUMERATOR = re.compile(
    rf"(?!\d{{3}}\))\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}(?:[.)]\)?[*_]{{0,2}}(?=\s)(?!\s(?:{_DATE_MONTHS})\b(?!\s(?-i:[A-ZÀ-Þ])))|[*_]{{0,2}}\)(?=\s))",
    re.IGNORECASE,
)
_HEADING_NUMBER = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){0,4}[.):]?[ \t]+(?=[^\W\d_])(?!(?:days|years|ways|steps|reasons|things|tips|percent|%|hours|minutes|months|weeks)\b)",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?P<n>\d{1,2})(?:\)|\.(?=\s[A-ZÀ-ÞА-Я*_\"“]))(?=[\s*_])")
#: Steps whose full stops were lost: "1  Heat the pan".
_SPACED_STEP = re.compile(r"(?P<n>\d{1,2})\s{2,3}(?=[A-ZÀ-ÞА-Я])")
_INLINE_LEAD = re.compile(r"(?:[.:;,!?](?:\s|\n)?|\s|^)[*_]{0,2}(?P<open>\()?$")
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,12}\]")
_STEP = re.compile(r"(?:step|schritt|paso|étape|passo|шаг)\s(\d{1,2})[*_]{0,2}\s?[:.–—-]")
_STEP_LEAD = re.compile(r"(?:^|\n)[ \t>*_#•+-]{0,8}$")


def skip_digits(page: Page, start: int, floor: int) -> int | None:
    """Where an enumerator, a heading number or a footnote mark at `start` ends; None when it is none."""
    text = page.text
    before = text[start - 1] if start else "\n"
    if before in "[^":
        return _footnote(text, start)
    if before not in "\n \t(*_#>|•-+·":
        return None
    if start - floor < 2000 or floor == 0:
        lead = text[max(0, start - 16) : start]
        if start <= 16 or "\n" in lead or "|" in lead or ">" in lead:
            if start <= 16:
                lead = "\n" + text[:start]
            if _HEADING_LEAD.search(lead) and (match := _HEADING_NUMBER.match(text, start)):
                return match.end()
            if _LINE_LEAD.search(lead) and (match := _ENUMERATOR.match(text, start)):
                page.enumerated = _last_number(match.group())
                return match.end()
    digits = 2 if text[start + 1 : start + 2].isdecimal() else 1
    if (
        text[start + digits : start + digits + 1] not in ").\n"
        and not text[start + digits : start + digits + 2].isspace()
    ):
        return None
    match = _INLINE.match(text, start) or _SPACED_STEP.match(text, start)
    if match is None:
        return None
    number = int(match["n"])
    lead_match = _INLINE_LEAD.search(text[max(0, start - 4) : start])
    if lead_match is None or not (number == 1 or number == page.enumerated + 1):
        return None
    bracketed = lead_match["open"] is not None
    if match.group().endswith(".") and not re.search(r"[.:;!?]\s$", text[max(0, start - 2) : start]):
        return None
    if match.group().endswith(")") and not bracketed and "(" in text[max(0, start - 30) : start]:
        return None
    if bracketed and number == 1 and "(2)" not in text[start : start + 2000]:
        return None
    page.enumerated = number
    return match.end()


def step_label(page: Page, start: int) -> int | None:
    """Where "Step 3:" at the start of a line ends; None for anything else."""
    match = _STEP.match(page.low, start)
    if match is None:
        return None
    lead = page.text[max(0, start - 12) : start]
    if start <= 12:
        lead = "\n" + lead
    return match.end() if _STEP_LEAD.search(lead) else None


def _footnote(text: str, start: int) -> int | None:
    opening = start - 1 if text[start - 1] == "[" else start - 2
    if opening < 0 or text[opening] != "[":
        return None
    match = _FOOTNOTE.match(text, opening)
    if match is None or text[match.end() : match.end() + 1] == "(":
        return None
    before = text[:opening].rstrip()[-1:] if opening < 80 else text[opening - 80 : opening].rstrip()[-1:]
    if before in (":", ",", "[", "=", "{") or (opening == 0 and "," in match.group()):
        return None
    return match.end()


def _last_number(enumerator: str) -> int:
    return int(re.findall(r"\d+", enumerator)[-1])
