"""The words around weekdays in seven languages: what joins days, spans them, takes one out, shuts and opens them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from proofing.support.wordset import word_set
from proofing.values.weekday_names import DAY_FORMS

EVERY_DAY = frozenset(range(7))
_WORKING, _WEEKEND = frozenset(range(5)), frozenset((5, 6))


class DayWords(NamedTuple):
    """How one language speaks of days; all words case-folded ("ausser" for "außer").

    Attributes:
        days: each name and the day it stands for, 0 = Monday; English names in full belong to every language.
        groups: single words for several days ("weekdays").
        phrases: words in a row that mean every day, and whether they count the days ("seven days a week").
        through: "to" in "Monday to Friday".
        articles: what may follow it ("desde el lunes hasta el viernes").
        joining: what stands between days of one phrase.
        excepting: what takes the days behind it out.
        shut: that it is closed; `closed` of them stand behind a day as well.
        on: what leads a day behind "closed".
        leading: words between "closed" and its day.
        adjacent: words between hours and the days right behind them.
        until: what closes an opening that has begun ("from 9 to 17"); `closes`: how verbs of closing begin.
        loose: what makes a sentence too loose to tie hours to days.
        saying: a text without one of these names no day.
    """

    days: Mapping[str, int]
    groups: Mapping[str, frozenset[int]]
    phrases: tuple[tuple[tuple[str, ...], bool], ...]
    through: frozenset[str]
    articles: frozenset[str]
    joining: frozenset[str]
    excepting: frozenset[str]
    shut: frozenset[str]
    closed: frozenset[str]
    on: frozenset[str]
    leading: frozenset[str]
    adjacent: frozenset[str]
    until: frozenset[str]
    closes: str
    loose: frozenset[str]
    saying: frozenset[str]


_SIGNS = word_set("- – —")
_LISTS: dict[str, dict[str, str]] = {
    "en": {
        "working": "weekday weekdays", "weekend": "weekend weekends", "daily": "daily everyday",
        "phrases": "every day|each day|all week|seven days a week|seven days per week|7 days a week|7 days per week",
        "through": "to through thru until till", "articles": "", "joining": "and & as well plus on or",
        "excepting": "except excepting excluding besides apart", "shut": "closed closes shut close",
        "closed": "closed", "on": "on", "leading": "on all day every each during for the",
        "adjacent": "on from every each for during of the", "until": "to until till", "closes": "clos",
        "loose": "different differ differs varying vary varies unlike most mostly some certain usually generally "
        "either depending between customer customers reviewer reviewers review reviews noted mentioned arrived visited",
    },
    "de": {
        "working": "wochentags", "weekend": "wochenende wochenenden", "daily": "täglich",
        "phrases": "jeden tag|sieben tage die woche|7 tage die woche|sieben tage in der woche",
        "through": "bis", "articles": "", "joining": "und & sowie oder am an",
        "excepting": "ausser ausgenommen", "shut": "geschlossen ruhetag", "closed": "geschlossen ruhetag",
        "on": "am an", "leading": "am an den jeden", "adjacent": "am an von jeden den", "until": "bis",
        "closes": "schliess",
        "loose": "verschieden verschiedene unterschiedlich unterschiedliche meist meistens manche gewöhnlich je",
    },
    "fr": {
        "working": "", "weekend": "", "daily": "quotidiennement",
        "phrases": "tous les jours|chaque jour|sept jours sur sept|7 jours sur 7",
        "through": "au à jusqu'au", "articles": "", "joining": "et & ou ainsi que le les",
        "excepting": "sauf excepté hormis", "shut": "fermé fermée fermés fermées ferme",
        "closed": "fermé fermée fermés fermées", "on": "le les du", "leading": "le les chaque tous",
        "adjacent": "le les du chaque tous de", "until": "à jusqu", "closes": "ferm",
        "loose": "différent différents différentes varient varie généralement parfois certains certaines",
    },
    "es": {
        "working": "", "weekend": "", "daily": "diariamente",
        "phrases": "todos los días|cada día|siete días a la semana|7 días a la semana",
        "through": "a hasta", "articles": "el los", "joining": "y e & o u el los",
        "excepting": "excepto salvo menos", "shut": "cerrado cerrada cerrados cerradas cierra",
        "closed": "cerrado cerrada cerrados cerradas", "on": "el los", "leading": "el los cada todos",
        "adjacent": "el los de cada todos", "until": "a hasta", "closes": "cierr",
        "loose": "diferente diferentes distinto distintos varía varían generalmente algunos algunas según",
    },
    "it": {
        "working": "", "weekend": "", "daily": "quotidianamente",
        "phrases": "tutti i giorni|ogni giorno|sette giorni su sette|7 giorni su 7",
        "through": "a al alla", "articles": "", "joining": "e ed & o il la",
        "excepting": "tranne eccetto escluso salvo", "shut": "chiuso chiusa chiusi chiuse chiude",
        "closed": "chiuso chiusa chiusi chiuse", "on": "il la di", "leading": "il la di ogni",
        "adjacent": "il la di dal dalla ogni", "until": "alle a fino", "closes": "chiud",
        "loose": "diverso diversi diversa diverse varia variano generalmente alcuni alcune",
    },
    "pt": {
        "working": "", "weekend": "", "daily": "diariamente",
        "phrases": "todos os dias|cada dia|sete dias por semana|7 dias por semana",
        "through": "a à até", "articles": "", "joining": "e & ou aos à às na no",
        "excepting": "exceto salvo menos", "shut": "fechado fechada fechados fechadas fecha",
        "closed": "fechado fechada fechados fechadas", "on": "aos à às na no", "leading": "aos à às na no cada",
        "adjacent": "aos à às na no de da do cada", "until": "às até a", "closes": "fech",
        "loose": "diferente diferentes varia variam geralmente alguns algumas conforme",
    },
    "ru": {
        "working": "будни будням", "weekend": "выходные выходным", "daily": "ежедневно",
        "phrases": "каждый день|семь дней в неделю|7 дней в неделю",
        "through": "по до", "articles": "", "joining": "и или а также в во по",
        "excepting": "кроме", "shut": "закрыт закрыта закрыто закрыты закрывается",
        "closed": "закрыт закрыта закрыто закрыты", "on": "в во по", "leading": "в во по каждый каждую",
        "adjacent": "в во по с со каждый каждую", "until": "до по", "closes": "закр",
        "loose": "разные разное обычно некоторые зависит",
    },
}  # fmt: skip


@cache
def day_words(language: str) -> DayWords:
    """The words of one language; the English ones for a language that is not known."""
    lists = _LISTS.get(language, _LISTS["en"])
    english = {form: day for form, day in DAY_FORMS["en"].items() if len(form) > 5}
    days = {**english, **DAY_FORMS.get(language, DAY_FORMS["en"])}
    groups = {
        word: days_of
        for name, days_of in (("working", _WORKING), ("weekend", _WEEKEND), ("daily", EVERY_DAY))
        for word in lists[name].split()
    }
    phrases = tuple((tuple(phrase.split()), len(phrase.split()) > 3) for phrase in lists["phrases"].split("|"))
    sets = {
        name: word_set(lists[name])
        for name in ("articles", "excepting", "shut", "closed", "on", "leading", "adjacent", "until", "loose")
    }
    return DayWords(
        days=days, groups=groups, phrases=phrases, closes=lists["closes"],
        through=word_set(lists["through"]) | _SIGNS, joining=word_set(lists["joining"]) | {","},
        saying=frozenset((*days, *groups, *(phrase[0] for phrase, _ in phrases))), **sets,
    )  # fmt: skip
