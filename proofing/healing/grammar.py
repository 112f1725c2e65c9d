"""The grammar that follows a changed value: article, plural and verb, in English.

Other languages are left as they are: a wrong guess there would be worse than the disagreement, and the value
itself is right either way.

>>> article_for("11 days"), article_for("9%"), article_for("hour"), article_for("unit")
('an', 'a', 'an', 'a')
>>> plural("policy"), singular("policies"), plural("day"), singular("boxes")
('policies', 'policy', 'days', 'box')
"""

from __future__ import annotations

import re

_IRREGULAR = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth",
    "half": "halves", "life": "lives", "shelf": "shelves", "leaf": "leaves", "criterion": "criteria",
    "mouse": "mice", "goose": "geese", "wife": "wives", "knife": "knives", "wolf": "wolves", "thief": "thieves",
    "loaf": "loaves", "calf": "calves", "phenomenon": "phenomena", "analysis": "analyses", "crisis": "crises",
    "thesis": "theses", "hypothesis": "hypotheses", "diagnosis": "diagnoses", "basis": "bases", "quiz": "quizzes",
}  # fmt: skip
#: "heroes", where "photos" is the rule.
_OES = frozenset("hero potato tomato echo veto torpedo mosquito volcano tornado mango cargo".split())
#: "movies" has a "movie", where "cities" has a "city".
_IES = frozenset("movie cookie calorie zombie brownie hoodie smoothie prairie rookie selfie birdie genie".split())
_IRREGULAR_BACK = {many: one for one, many in _IRREGULAR.items()}
_INVARIANT = frozenset("series species sheep fish aircraft offspring percent kg km cm mm mg ml lb oz gb mb kb".split())
_SINGULAR_S = frozenset("bus gas plus lens glass class address process business bonus status virus basis".split())
#: Verb after one thing -> after several.
VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't",
         "hasn't": "haven't", "doesn't": "don't"}  # fmt: skip
VERBS_BACK = {many: one for one, many in VERBS.items()}

#: Vowel letters that sound like consonants at the start ("a unit"), and the silent h ("an hour").
_CONSONANT_SOUND = re.compile(r"(?:uni(?!n|m)|use|usu|util|eu|one\b|once\b|ufo|ur[aio])", re.IGNORECASE)
_SILENT_H = re.compile(r"(?:hour|honest|hono|heir)", re.IGNORECASE)
_VOWEL_NUMBER = re.compile(r"(?:8|11(?!\d)|18(?!\d)|11[,.]\d{3}(?!\d)|18[,.]\d{3}(?!\d))")
_SIGNS = "$€£¥#*_`\"'“‘«("


def article_for(following: str) -> str:
    """``a`` or ``an`` before a text, by its first sound ("$8" sounds like "eight")."""
    text = following.lstrip(_SIGNS)
    if not text:
        return "a"
    if text[0].isdigit():
        return "an" if _VOWEL_NUMBER.match(text) else "a"
    if _SILENT_H.match(text):
        return "an"
    if _CONSONANT_SOUND.match(text):
        return "a"
    return "an" if text[0].lower() in "aeiou" else "a"


def plural(noun: str) -> str:
    """The plural of an English noun, in the case of its first letter."""
    low = noun.casefold()
    if low in _INVARIANT:
        return noun
    if low in _IRREGULAR:
        return _like(noun, _IRREGULAR[low])
    if re.search(r"(?:s|x|z|ch|sh)$", low) or low in _OES:
        return noun + "es"
    if re.search(r"[^aeiou]y$", low):
        return noun[:-1] + "ies"
    return noun + "s"


def singular(noun: str) -> str:
    """The singular of an English plural; what does not look like a plural is returned as it is."""
    low = noun.casefold()
    if low in _INVARIANT or low in _SINGULAR_S or low.endswith("sis"):
        return noun
    if low in _IRREGULAR_BACK:
        return _like(noun, _IRREGULAR_BACK[low])
    if low.endswith("ies") and len(low) > 4 and low[:-1] not in _IES:
        return noun[:-3] + "y"
    if re.search(r"(?:ss|x|z|ch|sh)es$", low) or (low.endswith("es") and low[:-2] in _SINGULAR_S | _OES):
        return noun[:-2]
    if low.endswith("s") and not low.endswith("ss"):
        return noun[:-1]
    return noun


def third_person(verb: str) -> str:
    """The form of an English verb after "he" or "it".

    >>> third_person("carry"), third_person("go"), third_person("have")
    ('carries', 'goes', 'has')
    """
    low = verb.casefold()
    if low in ("have", "be"):
        return _like(verb, {"have": "has", "be": "is"}[low])
    return verb + "es" if low.endswith("o") else plural(verb)


def is_plural(noun: str) -> bool:
    """Whether a noun changes when made singular, or has one form for both."""
    return noun.casefold() in _INVARIANT or singular(noun) != noun


def verb_for(verb: str, several: bool) -> str | None:
    """The verb in the other number, keeping its case; None where it does not change."""
    table = VERBS if several else VERBS_BACK
    changed = table.get(verb.casefold().replace("’", "'"))
    return None if changed is None else _like(verb, changed.replace("'", "’") if "’" in verb else changed)


def capital_like(new: str, old: str) -> str:
    """`new` with a capital first letter where `old` has one and `new` starts with a small letter.

    >>> capital_like("two weeks", "Fourteen days")
    'Two weeks'
    """
    if new and old and old[0].isupper() and new[0].islower():
        return new[0].upper() + new[1:]
    return new


def _like(model: str, word: str) -> str:
    return word[0].upper() + word[1:] if model[:1].isupper() else word
