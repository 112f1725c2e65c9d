"""What stands around a value and changes how it is meant: "about", "per month", "business", the thing counted.

>>> from proofing.values import find_values
>>> price = find_values("The pass costs about $144 a year.")[0]
>>> price.approximate, price.period, price.text
(True, 'year', '$144')
>>> find_values("It ships 12,500 sealed units in May.")[0].noun
'units'
>>> find_values("an annual fee of $99")[0].period
'year'
>>> [v.period for v in find_values("$18 per person, $18 a head, $18 per group")]
['person', 'person', 'group']
"""

from __future__ import annotations

import re

from proofing.documents import Span
from proofing.values.page import Page, endings, word_at

_ROUGHLY = (
    "about|around|roughly|approx|approximately|circa|nearly|almost|approaching|close to|an estimated|estimated|some|"
    "in the region of|on the order of|etwa|ungefähr|rund|zirka|knapp|fast|gut|aproximadamente|alrededor de|unos|unas|"
    "casi|cerca de|cerca di|environ|à peu près|près de|presque|quelque|circa|quasi|all'incirca|около|"
    "примерно|приблизительно|почти|ca.|approx.|c.|env.|aprox."
).split("|")
_ABOUT = re.compile(
    rf"(?:[~≈∼]|\b(?:{'|'.join(map(re.escape, _ROUGHLY))}))[ \u00a0]?(?:(?:the|a|an|de|di|von)[ \u00a0])?(?:\$|€|£)?$"
)
_ROUGH_ENDINGS = endings([*_ROUGHLY, "the", "an", "de", "di", "von"])
#: Signs for "about", and an article: one letter is no ending.
_ROUGH_SIGNS = frozenset("~≈∼a")
_CURRENCIES = frozenset("$€£")
_BLANKS = frozenset(" \u00a0")
_OR_SO = re.compile(r"(?:ish\b|[ ][^\W\d_]+)?[ ]or so\b|-?ish\b")

#: Period by the words that name it, singular and plural forms of the seven languages.
PERIODS: dict[str, str] = {
    word: name
    for name, row in {
        "second": "second sec s segundo seconde sekunde secondo секунду",
        "minute": "minute min minuto minuti minuut минуту",
        "hour": "hour hr h hora heure stunde ora час",
        "day": "day night tag nacht día dia noche jour nuit giorno notte noite день сутки ночь",
        "week": "week wk woche semana semaine settimana неделю",
        "month": "month mo mth monat mes mois mese mês месяц",
        "quarter": "quarter qtr quartal trimestre квартал",
        "year": "year yr y annum annual jahr año an ano anno год",
    }.items()
    for word in row.split()
}  # fmt: skip
ADVERBS: dict[str, str] = {
    word: name
    for name, row in {
        "hour": "hourly stündlich",
        "day": "daily nightly täglich diario diaria diarios diarias quotidien quotidienne giornaliero giornaliera giornalieri diário diária ежедневно",
        "week": "weekly wöchentlich semanal semanales hebdomadaire settimanale semanais еженедельно",
        "month": "monthly monatlich mensual mensuales mensuel mensuelle mensuels mensuelles mensile mensili mensal mensais ежемесячно ежемесячный",
        "quarter": "quarterly vierteljährlich trimestral trimestriel trimestrielle trimestrale ежеквартально",
        "year": "yearly annually annual jährlich anual anuales annuel annuelle annuels annuelles annuale annuali anuais ежегодно p.a.",
    }.items()
    for word in row.split()
}
_PERIOD = re.compile(
    r"[ \u00a0\n]?"
    r"(?:(?P<slash>/)|\b(?:per|pro|por|par|an?|each|every|al|ao|alla|all['’]|à l['’]|je|im|в|за|il|die|la)\b)?[ \u00a0]?"
    r"(?P<word>[^\W\d_]+\.?)"
)
#: Words right behind a value that a period or an adverb of one may begin with.
_PERIOD_OPENS = frozenset(
    "per pro por par pp p a an each every al ao alla all à je im в за il die la".split()
) | frozenset(ADVERBS)
#: "per user" in "per user per month", "pro Person und" in "pro Person und Monat".
_THING = re.compile(
    r"[ \u00a0\n]?(?:/[ ]?|(?:per|pro|por|par|pp)[ \u00a0])[^\W\d_]+(?:[ \u00a0](?:and|und|et|y|e|и)(?=[ \u00a0]))?"
)
#: What a price may be for, by the words that name it; prices for two of them are two prices.
THINGS: dict[str, str] = {
    word: name
    for name, row in {
        "person": "person persons people head guest pp capita participant attendee individual personne persona pessoa kopf человека человек",
        "group": "group party booking reservation gruppe groupe grupo gruppo группу",
        "family": "family household familie famille familia famiglia família семью",
        "couple": "couple paar pareja coppia casal",
        "child": "child kid kind niño enfant bambino criança ребёнка ребенка",
        "room": "room zimmer chambre habitación camera quarto комнату",
        "user": "user seat nutzer benutzer utilisateur usuario utente usuário",
        "vehicle": "vehicle car fahrzeug véhicule vehículo veicolo veículo",
        "ticket": "ticket", "item": "item piece stück pièce pieza pezzo peça штуку", "page": "page seite página pagina",
        "kilogram": "kg kilo kilogram kilogramm", "pound": "lb pound", "ounce": "oz ounce", "tonne": "tonne ton",
        "litre": "litre liter litro", "gallon": "gallon", "mile": "mile", "kilometre": "km kilometre kilometer",
        "megawatt hour": "mwh", "kilowatt hour": "kwh", "barrel": "barrel", "share": "share",
    }.items()
    for word in row.split()
}  # fmt: skip
_PER_THING = re.compile(
    r"[ \u00a0\n]?(?:/[ ]?|(?:per|pro|por|par|je|a|an|each|every|for each|for every|за|с)[ \u00a0])"
    rf"(?P<word>{'|'.join(sorted(THINGS, key=len, reverse=True))})s?\b"
)
_ADVERB = re.compile(r"[ \u00a0\n]\(?(p\.a\.|[^\W\d_]+)")
_BEFORE = re.compile(
    rf"\b({'|'.join(sorted(ADVERBS, key=len, reverse=True))})[ ](?:[^\W\d_]+[ ]){{1,2}}(?:of|is|was|at|von|de|di|del|für|:)?[ ]?(?:only[ ])?$"
)
_NOUN = re.compile(
    r"(?:(?:[*_]{1,3}|`)?[ \u00a0\n-](?:of[ ](?:the[ ]|its[ ]|all[ ])?)?)((?:[^\W\d_]+['’]?[^\W\d_]*)(?:[ -][^\W\d_]+){0,2})"
)
#: Words that end a noun phrase, or never begin one.
_NO_NOUN = frozenset(
    "a an and are as at be been between but by can could did do does during each ending every following for from had has "
    "have if in into is it its less may more must nor not of off on or our out over per shall should since so than that the "
    "their then there these they this those to through under until up was were when where which while who will with within "
    "without would after before both however also each now und der die das den dem des mit von zu in im am an auf für ist sind war "
    "et le la les de des du en au aux par pour sur est sont y el los las del con por para es son e il di da per che o os as "
    "do em no na и в на с не по что для за из к от x".split()
)  # fmt: skip
#: How far before a value words that change its meaning are looked for.
REACH = 28


def is_approximate(page: Page, start: int, end: int) -> bool:
    """Whether the value at ``[start, end)`` is written as a rough one ("about", "~", "or so")."""
    low = page.low
    last = start
    if low[last - 1 : last] in _CURRENCIES:
        last -= 1
    if low[last - 1 : last] in _BLANKS:
        last -= 1
    may_be_led = low[max(0, last - 2) : last] in _ROUGH_ENDINGS or low[last - 1 : last] in _ROUGH_SIGNS
    if may_be_led and _ABOUT.search(low[max(0, start - REACH) : start]):
        return True
    return low.startswith(("ish", "-ish", " or so"), end) or (page.says_or_so and bool(_OR_SO.match(low, end)))


def period_after(page: Page, end: int) -> tuple[str, Span] | None:
    """The billing or rate period written behind a value: "per month", "a year", "/mo", "per user per month", "annually"."""
    low = page.low
    if low[end : end + 1] == " ":
        word = word_at(low, end + 1)
        if word and word not in _PERIOD_OPENS:
            return None
    thing = _THING.match(low, end)
    for begin in (end, thing.end()) if thing else (end,):
        match = _PERIOD.match(low, begin)
        if match is None:
            continue
        word = match["word"]
        name = PERIODS.get(word) or PERIODS.get(word.rstrip("."))
        led = low[match.start() : match.start("word")].strip()
        if name and (led or begin != end) and (len(word) > 1 or match["slash"]):
            return name, Span(_first_letter(low, end), match.start("word") + len(word.rstrip(".")))
    adverb = _ADVERB.match(low, end)
    if adverb is not None:
        name = ADVERBS.get(adverb[1])
        if name and adverb[1] != "annual":
            return name, Span(*adverb.span(1))
    return None


def thing_after(page: Page, end: int) -> tuple[str, Span] | None:
    """What a price behind which no period stands is for: "per person", "a head", "/kg"."""
    match = _PER_THING.match(page.low, end)
    if match is None:
        return None
    return THINGS[match["word"]], Span(_first_letter(page.low, end), match.end("word"))


def period_before(page: Page, start: int) -> tuple[str, Span] | None:
    """The period in "an annual fee of $99", "a monthly price of 12 €"."""
    begin = max(0, start - 40)
    match = _BEFORE.search(page.low[begin:start])
    if match is None:
        return None
    name = ADVERBS.get(match[1])
    return (name, Span(begin + match.start(1), begin + match.end(1))) if name else None


def noun_after(page: Page, end: int) -> str:
    """The counted noun behind a number, lower case: the first plural of up to three words, else the first word."""
    match = _NOUN.match(page.low, end)
    if match is None or (page.text[end] == "\n" and page.text[match.start(1)].isupper()):
        return ""
    kept: list[str] = []
    for word in match[1].replace("-", " ").split(" "):
        if word in _NO_NOUN:
            break
        kept.append(word)
    for word in kept:
        if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return word
    return kept[0] if kept else ""


def _first_letter(low: str, position: int) -> int:
    while low[position] in " \u00a0\n":
        position += 1
    return position
