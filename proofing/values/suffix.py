"""What may follow a number: scale words ("million", "Mrd.", "k") and units, longest first.

>>> from proofing.values.page import Page
>>> page = Page("45 kilometers per hour")
>>> end, unit = unit_at(page, SUFFIX.match(page.text, 2))
>>> (page.text[3:end], unit.name)
('kilometers per hour', 'km/h')
>>> scale_word(Page("Das ist die Billion der Banken"), "billion"), scale_word(Page("the billion"), "billion")
(1000000000000, 1000000000)
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.values import money
from proofing.values.number_words import WORDS
from proofing.values.page import Page
from proofing.values.unit_table import PHRASES, UNITS, Scale, Unit

SUFFIX = re.compile(
    r"(?P<gap>[ \u00a0\u202f\u2009]?[-‐‑]?|(?:[*_]{1,3}|`)(?:[ \u00a0]|(?=[%€$£¥]))|\n(?=[a-z]))(?P<word>[°º]?[^\W\d_]+(?:[²³]|[23](?!\w))?(?P<per>[/·][^\W\d_]+)?|[%％٪‰°º℃℉$€£¥￥₹₽₩₺₴₫฿₦₪₱¢Ω])"
)
#: Scale words and letters behind digits; letters only where nothing parts them from the digits.
LETTER_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "b": 10**9, "T": 10**12}
SHORT_SCALES = {
    "bn": 10**9, "mn": 10**6, "mln": 10**6, "tn": 10**12, "mm": 10**6, "mio": 10**6, "mrd": 10**9, "mld": 10**9, "tsd": 10**3,
    "md": 10**9, "bln": 10**9, "тыс": 10**3, "млн": 10**6, "млрд": 10**9, "трлн": 10**12, "cr": 10**7, "mi": 10**6, "tril": 10**12,
    "lakhs": 10**5, "万": 10**4, "億": 10**8, "亿": 10**8,
}  # fmt: skip
MONEY_ONLY = frozenset({"mm", "cr", "mi", "md", "m"})
_SCALE_LANGUAGES = {"mil": ("es", "pt"), "mille": ("it", "fr"), "mila": ("it",)}
#: Units that are also everyday words of another language or another trade; read only in a fitting place.
_WORDS_TOO = {"an": "fr", "ans": "fr", "ora": "it", "ore": "it", "once": "", "or": "", "mes": "es", "pie": "it", "real": "pt", "franco": "it",
              "cal": "", "word": "", "words": "", "mi": "", "go": "fr", "dia": "pt", "won": ""}  # fmt: skip
#: "77 K" parted by a space: kelvins, or thousands where a writer does not glue them.
KELVIN = Unit("quantity", "K", (Scale("temperature", Fraction(1)), Scale("count", Fraction(1000))))
#: "5m" without a space: millions are the other reading.
MILLIONS = Scale("count", Fraction(10**6))


def scale_word(page: Page, word: str) -> int | None:
    """What a scale word multiplies by in the languages of the page ("billion" is 10**12 in German)."""
    if word not in WORDS:
        return None
    entries = [e for e in WORDS[word] if e.role == "scale" or word in ("hundred", "dozen")]
    if not entries:
        return None
    known = _SCALE_LANGUAGES.get(word)
    if known is not None and not any(language in page.languages for language in known):
        return None
    for language in page.languages:
        for entry in entries:
            if entry.language == language:
                return entry.amount
    return entries[0].amount


def unit_at(page: Page, match: re.Match[str]) -> tuple[int, Unit] | None:
    """The unit in a match of the suffix pattern, longest first, and where it ends."""
    low = page.low
    word = match["word"]
    start, end = match.span("word")
    folded = low[start:end]
    if folded == "d" and low[end : end + 1] in ("'", "’"):
        return None  # "4 millions d'euros" are no days
    for rest, phrase in PHRASES.get(folded, ()):
        longer = rest.match(low, end)
        if longer and not low[longer.end() : longer.end() + 1].isalnum():
            return longer.end(), phrase
    if (
        word == "p"
        and not match["gap"]
        and page.low.startswith((" per ", " a ", " each", ".", ",", " for ", " and ", "/"), end)
    ):
        return end, UNITS["pence"]
    if word == "K" and match["gap"]:
        return end, KELVIN
    named = money.named_after(low, match.start()) if match["gap"] and folded in money.NAMES_OPEN else None
    if named:
        return named
    if word in "$€£¥" and low[end : end + 1].isdigit():
        return None  # "$2,500-$15,000": the sign belongs to what follows
    unit = UNITS.get(word) or (UNITS.get(folded) if len(word) > 1 else None)
    if unit is not None and word in ("x", "×") and match["gap"]:
        return None
    if unit is not None:
        return (end, unit) if not _is_other_word(page, folded, end) else None
    if match["per"]:
        short = word[: -len(match["per"])]
        unit = UNITS.get(short) or (UNITS.get(short.lower()) if len(short) > 1 else None)
        if unit is not None:
            return end - len(match["per"]), unit
    if word[0] in "°º" and len(word) > 1 and word[1] in "CcFf" and len(word) == 2:
        return end, UNITS["°" + word[1].upper()]
    return None


def _is_other_word(page: Page, word: str, end: int) -> bool:
    language = _WORDS_TOO.get(word)
    if language is None:
        return False
    if word == "mi":
        return page.low.startswith((" casa", " vida"), end)
    if word in ("words", "word", "cal", "won"):
        return word == "won"
    return not language or language not in page.languages
