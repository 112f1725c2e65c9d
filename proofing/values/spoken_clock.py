"""Clock times as people say them: "halb sieben", "las siete y media", "alle 9,30", "sept heures et demie", "без четверти семь".

Hours below thirteen keep both readings, before and after noon, unless a part of the day is named.

>>> from proofing.values import find_values, same
>>> said = ["um halb sieben", "a las seis y media", "alle sei e mezza", "às seis e meia", "à six heures et demie",
...         "в половине седьмого", "at six thirty"]
>>> all(same(find_values(t)[0], find_values("at 6:30")[0]) for t in said)
True
>>> [str(find_values(t)[0].amount) for t in ("Viertel vor acht", "a las ocho menos cuarto", "alle otto meno un quarto", "без четверти восемь")]
['465', '465', '465', '465']
>>> [str(find_values(t)[0].amount) for t in ("um acht Uhr abends", "a las 8 de la tarde", "alle 8 di sera", "в 8 часов вечера")]
['1200', '1200', '1200', '1200']
>>> [v.kind for v in find_values("Quedan las siete personas y media hora.")]
['number']
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page

_HOURS = {
    "de": "eins/ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "une deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "una due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "uma duas três quatro cinco seis sete oito nove dez onze doze",
    "ru": "час два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    "en": "one two three four five six seven eight nine ten eleven twelve",
}
_RU_OF = "первого второго третьего четвёртого/четвертого пятого шестого седьмого восьмого девятого десятого одиннадцатого двенадцатого"
_MINUTES = {
    "de": {"fünf": 5, "zehn": 10, "viertel": 15, "zwanzig": 20, "dreißig": 30},
    "es": {"cinco": 5, "diez": 10, "cuarto": 15, "veinte": 20, "veinticinco": 25, "media": 30},
    "fr": {"cinq": 5, "dix": 10, "et quart": 15, "quart": 15, "le quart": 15, "vingt": 20, "vingt-cinq": 25, "et demie": 30, "trente": 30},
    "it": {"cinque": 5, "dieci": 10, "un quarto": 15, "venti": 20, "venticinque": 25, "mezza": 30, "mezzo": 30, "trenta": 30},
    "pt": {"cinco": 5, "dez": 10, "quinze": 15, "um quarto": 15, "vinte": 20, "meia": 30},
    "ru": {"пять": 5, "десять": 10, "четверть": 15, "двадцать": 20, "тридцать": 30},
    "en": {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50},
}  # fmt: skip


def _numbered(row: str) -> dict[str, int]:
    return {form: number for number, forms in enumerate(row.split(), 1) for form in forms.split("/")}


_HOUR = {language: _numbered(row) for language, row in _HOURS.items()}
_OF_HOUR = _numbered(_RU_OF)


def _either(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _of(language: str) -> tuple[str, str]:
    return rf"(?P<hour>\d{{1,2}}|{_either(_HOUR[language])})", rf"(?P<minute>{_either(_MINUTES[language])})"


_H = {language: _of(language) for language in _HOURS}
_PART = (
    r"(?:,? (?P<part>morgens|früh|vormittags|mittags|nachmittags|abends|nachts|de la mañana|de la tarde|de la noche|du matin|"
    r"de l['’]après-midi|du soir|di mattina|del mattino|del pomeriggio|di sera|di notte|da manhã|da tarde|da noite|утра|дня|вечера|ночи))?"
)
_LATE = re.compile(r"nachmittags|abends|tarde|soir|après|pomeriggio|sera|noite|noche|дня|вечера")
#: What may follow a time that has nothing but its hour: no counted thing.
_STOP = re.compile(r"[.,:](?!\d)|[;)!?\n]|$| (?:hasta|a las|y las|fino|alle|e alle|até|às|do|and|und|y|e)\b")
_HALF_OF = rf"(?P<half>половин[аеу]|пол) ?(?P<of>{_either(_OF_HOUR)})"
_OF_NEXT = rf"(?P<minute>четверть|пять|десять|двадцать)(?: минут)? (?P<of>{_either(_OF_HOUR)})"
_WITHOUT = r"(?P<side>без) (?P<minute>четверти|пяти|десяти|двадцати)(?: минут)? "
#: Language, the words that must stand right before ("" for none), and what is read. A time of an hour alone also
#: needs a sign that it is one: minutes, a part of the day, "en punto", or nothing behind that it could count.
_FORMS = (
    ("de", "", rf"(?:(?P<five>fünf|zehn) (?P<side>vor|nach) )?(?P<half>halb) {_H['de'][0]}\b(?! so| der| die| des)"),
    ("de", "", rf"{_H['de'][1]} (?P<side>vor|nach) {_H['de'][0]}\b(?: uhr\b)?"),
    ("de", "", rf"{_H['de'][0]} (?P<exact>uhr)\b(?: (?P<digits>\d\d)| {_H['de'][1]})?"),
    ("es", r"(?:a|de|desde|hasta|son|sobre) las? ", rf"{_H['es'][0]}(?P<exact> en punto| h(?:oras)?\b)?(?: (?P<side>y|menos) {_H['es'][1]}\b)?"),
    ("it", r"(?:alle|dalle|le|sono le) ", rf"{_H['it'][0]}(?: (?P<side>e|meno) {_H['it'][1]}\b|[,.](?P<digits>[0-5]\d)(?!\d| ?[€%]| euro)|(?P<exact> in punto))?"),
    ("pt", r"(?:às|das|são) ", rf"{_H['pt'][0]}(?P<exact> em ponto| horas?\b)?(?: (?P<side>e|menos) {_H['pt'][1]}\b)?"),
    ("fr", r"(?:à|dès|vers|avant|après|jusqu['’]à) ", rf"{_H['fr'][0]}(?P<exact> heures?)\b(?: (?P<side>moins )?{_H['fr'][1]}\b)?"),
    ("ru", "", _HALF_OF),
    ("ru", "", _OF_NEXT),
    ("ru", "", _WITHOUT + _H["ru"][0]),
    ("ru", r"(?:в|с|до|к|после) ", rf"{_H['ru'][0]}(?: час(?:а|ов)?)?(?: (?P<digits>\d\d)(?: минут\w*)?| {_H['ru'][1]}(?: минут\w*)?)?"),
    ("en", r"(?:at|by|until|till) ", rf"{_H['en'][0]}[ -]{_H['en'][1]}\b(?! (?:percent|per|of|people))(?: (?P<am>[ap])\.?m\b)?"),
)  # fmt: skip
_PATTERNS = tuple(
    (language, re.compile(rf"\b{lead}$") if lead else None, re.compile(body + (_PART if language != "en" else "")))
    for language, lead, body in _FORMS
)
_GENITIVE = {"четверти": 15, "пяти": 5, "десяти": 10, "двадцати": 20}
#: Words at which these times may begin.
WORDS = frozenset("halb viertel fünf zehn половина половине половину четверть без".split()) | frozenset(
    word for hours in _HOUR.values() for word in hours if word not in ("ein", "час")
)
HALF_WORDS = frozenset("пол" + hour for hour in _OF_HOUR)


def at(page: Page, start: int) -> Value | None:
    """The spoken time at `start`; a lone hour only in a language that the page speaks."""
    low = page.low
    before = low[max(0, start - 12) : start]
    for language, lead, pattern in _PATTERNS:
        match = pattern.match(low, start)
        if match is None or (lead is not None and lead.search(before) is None):
            continue
        if low[match.end() : match.end() + 1].isalnum():
            continue
        said = {name: words for name, words in match.groupdict().items() if words}
        if said.keys() <= {"hour", "digits"} and not page.speaks(language):
            continue
        if set(said) == {"hour"} and (language == "ru" or _STOP.match(low, match.end()) is None):
            continue
        minutes = _minutes(language, said)
        if minutes is not None:
            return _value(page, start, match.end(), *minutes)
    return None


def _minutes(language: str, said: dict[str, str]) -> tuple[int, bool] | None:
    """Minutes after midnight as said, and whether the half of the day is known."""
    hour = _OF_HOUR[said["of"]] - 1 if "of" in said else _hour(language, said["hour"])
    minute = int(said.get("digits", 0)) or _GENITIVE.get(said.get("minute", ""), 0)
    minute = minute or _MINUTES[language].get(said.get("minute", ""), 0)
    if hour > 24 or minute > 59:
        return None
    if "half" in said:
        minute, hour = 30, hour if "of" in said else hour - 1
        minute += {"fünf": 5, "zehn": 10}.get(said.get("five", ""), 0) * (-1 if said.get("side") == "vor" else 1)
    elif said.get("side", "").strip() in ("vor", "menos", "meno", "moins", "без"):
        minute = -minute
    part = said.get("part", "")
    late = said.get("am") == "p" or bool(part and _LATE.search(part))
    total = hour * 60 + minute
    if (part or "am" in said) and hour <= 12:
        total = total % 720 + (720 if late else 0)
    return total % 1440, bool(part or "am" in said) or hour > 12


def _hour(language: str, written: str) -> int:
    return int(written) if written.isdigit() else _HOUR[language][written]


def _value(page: Page, start: int, end: int, minutes: int, certain: bool) -> Value:
    amounts = [minutes] if certain else [minutes, (minutes + 720) % 1440]
    readings = tuple(Reading("clock", Fraction(amount)) for amount in amounts)
    note = "" if certain else f"{page.text[start:end]} may be before or after noon"
    return Value("time", page.text[start:end], start, end, readings, note=note, digits_span=Span(start, end))
