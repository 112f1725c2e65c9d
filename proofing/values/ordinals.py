"""Ordinals: "2nd", "second", "twenty-first", "3.º", "dritte", "World War II", "Chapter IV".

>>> from proofing.values import find_values, same
>>> a, b = find_values("the third floor, the 3rd floor")
>>> same(a, b), a.noun
(True, 'floor')
>>> [(v.text, str(v.amount)) for v in find_values("Louis XIV, World War II, Phase III, le 2e étage")]
[('XIV', '14'), ('II', '2'), ('III', '3'), ('2e', '2')]
>>> find_values("First, unplug it. At first it seemed fine.")
()
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values import citations, context
from proofing.values.base import Reading, Value
from proofing.values.number_words import WORDS as NUMBER_WORDS
from proofing.values.page import Page
from proofing.values.shares import part_behind

_SUFFIX = re.compile(
    r"(\d{1,9}|\d{1,3}(?:,\d{3})+)(st|nd|rd|th|er|ère|ere|re|e|ème|eme|ième|nde|º|ª|°|\.º|\.ª|-й|-я|-е|-го|-му|-м|-ми|-х|-ю|-ый|-ой|-ая|-ое|-ом|-th)(?!\w)"
)
_GERMAN = re.compile(
    r"(\d{1,3})\.\s(?=(?:Etage|Stock|Stockwerk|Platz|Rang|Mal|Quartal|Jahrhundert|Kapitel|Auflage|Runde|Klasse|Tag|Woche|Geschoss|Obergeschoss|Untergeschoss|OG|UG|Weltkrieg|Preis|Ausgabe|Staffel|Folge|Liga|Semester|Lebensjahr|Geburtstag|Spieltag|Bezirk|Versuch|Halbjahr|Etappe|Reihe|Spiel|Saison|Schuljahr|Lauf)\b)"
)
_EN = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_TABLE: dict[str, tuple[str, str]] = {
    "en": (_EN, ""),
    "es": ("primer/primero/primera segundo/segunda tercer/tercero/tercera cuarto/cuarta quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima", ""),
    "fr": ("premier/première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième", ""),
    "it": ("primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima ottavo/ottava nono/nona decimo/decima", ""),
    "pt": ("primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto/sexta sétimo/sétima oitavo/oitava nono/nona décimo/décima", ""),
    "de": ("erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft", "e er es en em"),
    "ru": ("перв втор трет четвёрт/четверт пят шест седьм восьм девят десят", "ый ий ой ая ья ое ье ого ьего ой ьей ом ьем ую ью"),
}  # fmt: skip


def _build() -> dict[str, tuple[str, int]]:
    words: dict[str, tuple[str, int]] = {}
    for language, (row, endings) in _TABLE.items():
        for number, forms in enumerate(row.split(), 1):
            for form in forms.split("/"):
                for ending in endings.split() or [""]:
                    words.setdefault(form + ending, (language, number))
    for number, word in zip(
        range(20, 100, 10),
        "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(),
        strict=True,
    ):
        words[word] = ("en", number)
    words["hundredth"] = ("en", 100)
    return words


WORDS: dict[str, tuple[str, int]] = _build()
#: Word and language, for every language that orders with the word: "quarto" is Italian and Portuguese.
_SPOKEN = frozenset(
    (form + ending, language)
    for language, (row, endings) in _TABLE.items()
    for forms in row.split()
    for form in forms.split("/")
    for ending in endings.split() or [""]
)
_TENS = re.compile(rf"(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ]({'|'.join(_EN.split()[:9])})\b")
#: What "first" and "second" mean when no thing is counted.
_NO_THING = re.compile(
    r"(?:\s(?:of all|and foremost|to|in|on|at|by|with|for|the|a|an|,|and|or|then|it|we|you|he|she|they|was|were|is|are|time in|off|ever|up|out|half of)\b|[,.:;!?)]|['’\"”]|$|-(?:hand|rate|class|degree|ever|person|party|come|line|time))"
)
_FIXED = re.compile(
    r"(?:first|third)\s(?:name|aid|lady|hand|class|party|parties|and last|responders?|glance|sight|person|impressions?|step is)\b|second\s(?:hand|nature|thoughts?|opinions?|guess|best)\b|prime?\b"
)
_LED = re.compile(
    r"\b(?:the|its|his|her|their|our|your|my|a|an|this|that|every|each|der|die|das|den|dem|im|el|la|los|las|le|les|l['’]|il|o|os|as|в|на|du|del|al|au|no|na|do|da)[ ]?(?:very |only |whole )?$"
)
_PLACED = re.compile(r"\b(?:finished|placed|ranked|came|ranks|finishing|came in|is ranked) $")
_PLACED_BEFORE = re.compile(
    r"\b(?:finished|placed|ranked|came|ranks|finishing|came in|is ranked) (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b[^.;:!?\n]{0,40}\b(?:and|but|then) (?:only )?$"
)
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b")
_ROMAN_LED = re.compile(
    r"(?:\b(?:(?i:chapter|part|volume|act|phase|stage|grade|class|title|article|section|appendix|annex)|Chapter|Part|Volume|Vol\.|Book|Act|Phase|Type|Stage|Grade|Class|Level|Title|Article|Section|Appendix|Schedule|Annex|War|Bowl|"
    r"Kapitel|Teil|Band|Capítulo|Parte|Chapitre|Tome|Capitolo|Fase|siglo|século|secolo|siècle|Mark|Mk|Tier|Category|Factor|Table)|(?P<name>\b[A-Z][a-zé]{2,}))[ \u00a0]$"
)
_CENTURY = re.compile(r"[ \u00a0](?:century|centuries|siècle|Jahrhundert|век|века|веке)\b")
_FRENCH_CENTURY = re.compile(r"([IVX]{1,5})(?:e|ème)(?=[ \u00a0]siècle)")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def at_digits(page: Page, start: int, floor: int) -> Value | None:
    """ "2nd", "3.º", "2e" at `start`."""
    match = _SUFFIX.match(page.low, start)
    if match is None:
        german = _GERMAN.match(page.text, start)
        return _ordinal(page, start, german.end() - 1, int(german[1])) if german else None
    number, suffix = int(match[1].replace(",", "")), match[2]
    if suffix in ("e", "re", "er", "ere") and number > 400:
        return None
    if suffix in ("st", "nd", "rd") and not 0 < number % 100 < 100:
        return None
    return _ordinal(page, start, match.end(), number) if suffix != "°" else None


def at_word(page: Page, start: int, end: int, floor: int) -> Value | None:
    """ "third", "twenty-first", "dritten" at ``[start, end)``, where it orders things."""
    low = page.low
    tens = _TENS.match(low, start)
    if tens:
        return _ordinal(page, start, tens.end(), NUMBER_WORDS[tens[1]][0].amount + WORDS[tens[2]][1])
    known = WORDS.get(low[start:end])
    if known is None or low.startswith("-feira", end) or (known[1] > 2 and part_behind(low, end)):
        return None  # "sexta-feira" is a Friday, "la cuarta parte de" a share
    if known[0] != "en" and not any((low[start:end], language) in _SPOKEN for language in page.languages):
        return None
    led = _LED.search(low[max(floor, start - 12) : start])
    if (
        known[0] == "en"
        and low.startswith(" of ", end)
        and low[max(0, start - 4) : start].endswith((" a ", "\na ", "one "))
    ):
        return None  # "a fifth of the fleet" is a share
    if known[0] == "en" and low[:start] == "a " and low.startswith(" of ", end):
        return None
    if known[0] == "en" and (
        _PLACED.search(low[max(floor, start - 12) : start])
        or (
            low.endswith((" and ", " but ", " then ", " only "), 0, start)
            and _PLACED_BEFORE.search(low[max(0, start - 80) : start])
        )
    ):
        return _ordinal(page, start, end, known[1])
    if known[0] == "en":
        if led and known[1] <= 3 and low[start - 2 : start] == "a " and (start < 3 or not low[start - 3].isalnum()):
            return None
        if _FIXED.match(low, start) or (_NO_THING.match(low, end) and not led):
            return None
        if (
            known[1] <= 2
            and led is None
            and start > 0
            and low[start - 1] == " "
            and low[start - 2 : start - 1] not in ".!?\n"
        ):
            return None
        if (
            low[start:end] == "second"
            and low.startswith(("a ", "per ", "each ", "every "), max(0, start - 6))
            and not low.startswith(" ", end)
        ):
            return None
        if led and _NO_THING.match(low, end) and known[1] <= 2 and low[start - 2 : start] == "a ":
            return None
    elif led is None:
        return None
    return _ordinal(page, start, end, known[1])


def roman_at(page: Page, start: int, floor: int) -> Value | None:
    """A Roman numeral of capitals after a numbered thing or a ruler's name."""
    text = page.text
    french = _FRENCH_CENTURY.match(text, start)
    if french is not None:
        return _ordinal(page, start, french.end(), roman_number(french[1]))
    match = _ROMAN.match(text, start)
    if match is None or not match.group():
        return None
    numeral = match.group()
    led = _ROMAN_LED.search(text[max(floor, start - 14) : start])
    if led is None and len(numeral) > 1 and _CENTURY.match(text, match.end()):
        return _ordinal(page, start, match.end(), roman_number(numeral))
    if led is None or (led["name"] and (len(numeral) == 1 or numeral in _NOT_ROMAN or not set(numeral) <= set("IVX"))):
        return None
    if led["name"] and text[match.end() : match.end() + 1] in "-&/":
        return None
    if led["name"] and led["name"] in ("The", "And", "For", "With", "From", "But"):
        return None
    if not led["name"] and numeral == "I" and text[match.end() : match.end() + 2].strip().islower():
        return None
    total = roman_number(numeral)
    value = _ordinal(page, start, match.end(), total)
    place = citations.label_of(led.group().split()[0].lower()) if led["name"] is None and led.group().split() else ""
    named = (Reading("citation", f"{place} {total}", place),) if place else ()
    return value._replace(readings=(*value.readings, Reading("count", Fraction(total)), *named))


def roman_number(numeral: str) -> int:
    """What a Roman numeral of capitals counts.

    >>> roman_number("XIV")
    14
    """
    return sum(
        -_VALUES[sign] if _VALUES[sign] < _VALUES[following] else _VALUES[sign]
        for sign, following in zip(numeral, numeral[1:] + "I", strict=True)
    )


_NOT_ROMAN = frozenset({"I", "IV", "XL", "DI", "MI", "LI", "DC", "CD", "CV", "MD", "MC", "CC", "XX", "XXL", "VI"}) - {
    "IV",
    "VI",
}


def _ordinal(page: Page, start: int, end: int, number: int) -> Value:
    return Value("ordinal", page.text[start:end], start, end, (Reading("ordinal", Fraction(number)),),
                 noun=context.noun_after(page, end), digits_span=Span(start, end))  # fmt: skip
