"""Billing cycles in words: "per month", "billed monthly", "a monthly subscription", and their other forms.

A *cycle* is hour, day, week, month, quarter or year. `cycle_words` finds every word that names one and says
which form it has, so that the same form of another cycle can take its place.

>>> [(w.text, w.cycle, w.form) for w in cycle_words("$9 per month, billed monthly")]
[('month', 'month', 'noun'), ('monthly', 'month', 'adverb')]
>>> in_cycle(cycle_words("your Monthly plan")[0], "year", {})
'Annual'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Form = Literal["noun", "adverb", "adjective", "short"]

#: Cycle -> form -> words, the first being the one that is written. Language by language; forms never collide.
_ENGLISH: dict[str, dict[Form, tuple[str, ...]]] = {
    "hour": {"noun": ("hour",), "adverb": ("hourly",), "adjective": ("hourly",), "short": ("hr", "h")},
    "day": {"noun": ("day",), "adverb": ("daily",), "adjective": ("daily",), "short": ("day",)},
    "week": {"noun": ("week",), "adverb": ("weekly",), "adjective": ("weekly",), "short": ("wk",)},
    "month": {"noun": ("month",), "adverb": ("monthly",), "adjective": ("monthly",), "short": ("mo", "mth")},
    "quarter": {"noun": ("quarter",), "adverb": ("quarterly",), "adjective": ("quarterly",), "short": ("qtr",)},
    "year": {
        "noun": ("year", "annum"),
        "adverb": ("annually", "yearly"),
        "adjective": ("annual", "yearly"),
        "short": ("yr",),
    },
}
_OTHERS: dict[str, dict[str, dict[Form, tuple[str, ...]]]] = {
    "es": {
        "day": {"noun": ("día",), "adverb": ("diariamente",), "adjective": ("diario", "diaria")},
        "week": {"noun": ("semana",), "adverb": ("semanalmente",), "adjective": ("semanal",)},
        "month": {"noun": ("mes",), "adverb": ("mensualmente",), "adjective": ("mensual",)},
        "quarter": {"noun": ("trimestre",), "adverb": ("trimestralmente",), "adjective": ("trimestral",)},
        "year": {"noun": ("año",), "adverb": ("anualmente",), "adjective": ("anual",)},
    },
    "de": {
        "day": {"noun": ("tag",), "adverb": ("täglich",)},
        "week": {"noun": ("woche",), "adverb": ("wöchentlich",)},
        "month": {"noun": ("monat",), "adverb": ("monatlich",)},
        "quarter": {"noun": ("quartal",), "adverb": ("vierteljährlich",)},
        "year": {"noun": ("jahr",), "adverb": ("jährlich",)},
    },
    "fr": {
        "day": {"noun": ("jour",), "adverb": ("quotidiennement",)},
        "week": {"noun": ("semaine",), "adjective": ("hebdomadaire",)},
        "month": {"noun": ("mois",), "adverb": ("mensuellement",), "adjective": ("mensuel", "mensuelle")},
        "year": {"noun": ("an",), "adverb": ("annuellement",), "adjective": ("annuel", "annuelle")},
    },
    "it": {
        "week": {"noun": ("settimana",), "adverb": ("settimanalmente",), "adjective": ("settimanale",)},
        "month": {"noun": ("mese",), "adverb": ("mensilmente",), "adjective": ("mensile",)},
        "year": {"noun": ("anno",), "adverb": ("annualmente",), "adjective": ("annuale",)},
    },
    "pt": {
        "week": {"noun": ("semana",), "adverb": ("semanalmente",), "adjective": ("semanal",)},
        "month": {"noun": ("mês",), "adverb": ("mensalmente",), "adjective": ("mensal",)},
        "year": {"noun": ("ano",), "adverb": ("anualmente",), "adjective": ("anual",)},
    },
}
#: What stands before a cycle's noun when it says how often: "per month", "a month", "every month", "/month".
_BEFORE_NOUN = re.compile(
    r"(?:\b(?:per|a|an|each|every|by the|al|por|cada|pro|im|par|au|ao|à|all')[ \u00a0]|/[ \u00a0]?|all['’])$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_NOUN_AHEAD = re.compile(
    r"[ \u00a0-](?=[^\W\d_])"
    r"(?!(?:and|or|in|at|by|on|for|with|from|if|to|payable|billed|charged|paid|due|invoiced|renewed)\b)"
)


@dataclass(frozen=True, slots=True)
class CycleWord:
    """One word of a text that names a cycle; ``language`` is ``en`` or one of the other tables."""

    start: int
    end: int
    text: str
    cycle: str
    form: Form
    language: str


@lru_cache(maxsize=64)  # asked for every candidate of every mark, and they share their sentences
def cycle_words(text: str, language: str = "en") -> tuple[CycleWord, ...]:
    """Every word that names a billing cycle, in text order.

    A noun counts only after "per", "a", "each", "every", "/" and the like, so "the month of May" does not. An
    English "-ly" word is an adjective when a word follows directly ("monthly plan"), else an adverb.
    """
    found: list[CycleWord] = []
    for match in _WORD.finditer(text):
        known = _lookup(match.group().casefold(), language)
        if known is None:
            continue
        cycle, forms, spoken = known
        form = _form_here(text, match, forms)
        if form is not None:
            found.append(CycleWord(match.start(), match.end(), match.group(), cycle, form, spoken))
    return tuple(found)


def _lookup(word: str, language: str) -> tuple[str, frozenset[Form], str] | None:
    for spoken in dict.fromkeys((language, "en")):
        table = _table(spoken)
        for cycle, forms in table.items():
            held = frozenset(form for form, words in forms.items() if word in words)
            if held:
                return cycle, held, spoken
    return None


def _table(language: str) -> Mapping[str, Mapping[Form, tuple[str, ...]]]:
    return _OTHERS.get(language, _ENGLISH)


def _form_here(text: str, match: re.Match[str], forms: frozenset[Form]) -> Form | None:
    before = text[max(0, match.start() - 12) : match.start()]
    if "noun" in forms and _BEFORE_NOUN.search(before):
        return "noun"
    if "short" in forms and before.rstrip().endswith("/"):
        return "short"
    if "adverb" in forms and "adjective" in forms:
        return "adjective" if _NOUN_AHEAD.match(text, match.end()) else "adverb"
    return next((form for form in ("adverb", "adjective") if form in forms), None)


def in_cycle(word: CycleWord, cycle: str, preferred: Mapping[Form, str]) -> str | None:
    """The same form of another cycle, in the case of the word it replaces.

    Args:
        word: the word to replace.
        cycle: the cycle wanted.
        preferred: the source's own words by form ("yearly" instead of "annually"), used where they fit.

    Returns:
        The word, or None where the language has no such form.
    """
    forms = _table(word.language).get(cycle, {})
    words = forms.get(word.form) or (forms.get("noun") if word.form == "short" else None)
    if not words:
        return None
    wanted = preferred.get(word.form, "").casefold()
    chosen = wanted if wanted in words else _same_rank(word, words)
    if word.text.isupper() and len(word.text) > 1:
        return chosen.upper()
    return chosen[0].upper() + chosen[1:] if word.text[0].isupper() else chosen


def _same_rank(word: CycleWord, words: tuple[str, ...]) -> str:
    """Gendered forms keep their gender: the n-th form gives the n-th form (not in English, where they are synonyms)."""
    own = _table(word.language)[word.cycle].get(word.form, ())
    if word.language == "en" or word.text.casefold() not in own:
        return words[0]
    return words[min(own.index(word.text.casefold()), len(words) - 1)]


def preferred_forms(text: str, cycle: str, language: str = "en") -> dict[Form, str]:
    """How `text` itself names `cycle`, by form; the first of each."""
    out: dict[Form, str] = {}
    for word in cycle_words(text, language):
        if word.cycle == cycle:
            out.setdefault(word.form, word.text)
    return out
