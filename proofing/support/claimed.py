"""Claims that a text names only to deny them, or only reports: "It is a myth that bats are blind".

What stands behind such a frame is not what the text says: it says the contrary (`denied`), or it leaves it open
(`reported`, "critics say that …"). Whoever compares two clauses asks here first. "Contrary to popular belief, bats can
see" is no such frame: what follows its comma is stated.

>>> from proofing.documents import Source
>>> view = TextView(None, "It is a myth that bats are blind.", "en")
>>> [(c.denied, " ".join(view.folds[i] for i in c.tokens)) for c in named_claims(view)]
[(True, 'bats are blind .')]
>>> named_claims(TextView(None, "It is not a myth that bats are blind.", "en"))
()
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from proofing.support.reading import TextView

_EN_FALSE = (
    r"myth|misconceptions?|fallacy|falsehood|hoax|false\s+belief|mistaken\s+belief|misbelief|old\s+wives['’]?\s+tale"
    r"|urban\s+legend|false|untrue|incorrect|inaccurate|wrong|not\s+true|not\s+the\s+case|not\s+correct|not\s+right"
    r"|nonsense|a\s+lie|unfounded|baseless|mistaken"
)
#: Language -> frames that deny the claim behind them; what is marked of them is the group.
_BEFORE = {
    "en": rf"\b(?P<verdict>{_EN_FALSE})\s+(?:is\s+)?that\b"
    r"|\b(?P<wrongly>wrongly|falsely|mistakenly|incorrectly|erroneously)\s+(?:believe|think|assume|claim|say|suppose"
    r"|state|hold|maintain|thought|said|held)[sd]?\b(?!\s+to\b)(?:\s+that\b)?"
    r"|\b(?P<mistake>mistak(?:e|es|en|ing)|mistook)\s+(?=[^.;:]{0,160}\bfor\b)",
    "de": r"\b(?P<verdict>irrglauben?|mythos|märchen|irrtum|missverständnis|fehlannahme|trugschluss|legende"
    r"|nicht\s+wahr|falsch|unwahr|nicht\s+richtig|unzutreffend|stimmt\s+nicht|nicht\s+der\s+fall)(?:\s+ist)?,?\s+dass\b"
    r"|\b(?P<wrongly>fälschlich(?:erweise)?|irrtümlich(?:erweise)?|zu\s+unrecht)\b[^,.;]{0,40},\s+dass\b",
    "fr": r"\b(?P<verdict>mythe|idée\s+reçue|idée\s+fausse|légende|erreur|faux|inexact|pas\s+vrai)"
    r"(?:\s+de\s+(?:croire|penser|dire))?\s+qu(?:e\b|['’])|\b(?P<wrongly>à\s+tort)\s+qu(?:e\b|['’])",
    "es": r"\b(?P<verdict>mito|error|bulo|creencia\s+(?:falsa|errónea)|falsa\s+creencia|falso|incorrecto"
    r"|no\s+es\s+cierto|no\s+es\s+verdad|idea\s+(?:equivocada|errónea|falsa))(?:\s+(?:creer|pensar|decir))?\s+que\b"
    r"|\b(?P<wrongly>erróneamente|equivocadamente|falsamente)\s+que\b",
    "it": r"\b(?P<verdict>mito|leggenda|falso|non\s+è\s+vero|errore|bufala|luogo\s+comune|credenza\s+(?:falsa|errata))"
    r"(?:\s+(?:credere|pensare|dire))?\s+che\b|\b(?P<wrongly>erroneamente|a\s+torto)\s+che\b",
    "pt": r"\b(?P<verdict>mito|falso|mentira|não\s+é\s+verdade|equívoco|erro|crença\s+(?:falsa|errada))"
    r"(?:\s+(?:acreditar|pensar|dizer))?\s+que\b|\b(?P<wrongly>erroneamente|equivocadamente)\s+que\b",
    "ru": r"\b(?P<verdict>миф|неправда|не\s+правда|неверно|заблуждение|ложь)(?:\s+то)?,\s+что\b"
    r"|\b(?P<wrongly>ошибочно)\s+\w+,\s+что\b",
}
_NAMED = (
    r"claim|idea|notion|belief|rumou?r|story|assertion|allegation|suggestion|statement|theory|view|assumption|opinion"
)
#: Frames around a claim: "the claim that X is false", "that X is a myth", "X is wrongly believed to …".
_AROUND = {
    "en": rf"\b(?:(?:{_NAMED})\s+that|\Athat)\s+(?P<claim>[^.;:?!]{{3,240}}?),?\s+(?:is|was|are)\s+"
    rf"(?:(?!not\b)\w+\s+){{0,2}}(?P<verdict>{_EN_FALSE})\b(?!\s+that\b)",
    "de": r"\b(?:behauptung|annahme|vorstellung|aussage|gerücht|glaube),\s+dass\s+(?P<claim>[^.;:?!]{3,240}?),"
    r"\s+(?:ist|war)\s+(?:(?!nicht\b)\w+\s+){0,2}(?P<verdict>falsch|unwahr|unzutreffend|nicht\s+wahr|irrig|mythos)\b",
}
_PASSIVE = re.compile(
    r"\b(?:wrongly|falsely|mistakenly|incorrectly|erroneously)\s+(?:believed|thought|assumed|said|claimed|held"
    r"|supposed)\s+to\b",
    re.IGNORECASE,
)
#: Frames that leave the claim open.
_REPORTED = {
    "en": r"\b(?:claim(?:s|ed)?|alleg(?:e|es|ed)|rumou?r(?:s|ed)?|stereotype|superstition|legend|conspiracy\s+theory"
    rf"|(?:critics|opponents|sceptics|skeptics|theorists|some|many|people)\s+(?:say|believe|think|argue|insist|fear|hope)"
    rf"|(?:{_NAMED})|(?:is|was)\s+(?:believed|thought|said|alleged|claimed|rumou?red|reported))\s+that\b",
    "de": r"\b(?:behaupten|behauptet|gerücht|behauptung|angeblich|man\s+sagt|kritiker\s+sagen)\b[^,.;]{0,30},\s+dass\b",
    "fr": r"\b(?:prétend(?:ent)?|affirment|rumeur|on\s+dit)\s+qu(?:e\b|['’])",
    "es": r"\b(?:afirman|alegan|rumor(?:ea)?|se\s+dice)(?:\s+de)?\s+que\b",
    "it": r"\b(?:sostengono|affermano|voce|si\s+dice)\s+che\b",
    "pt": r"\b(?:afirmam|alegam|boato|diz-se)(?:\s+de)?\s+que\b",
    "ru": r"\b(?:утверждают|слух\w*|говорят),\s+что\b",
}
_NOT_BEFORE = re.compile(
    r"(?:\b(?:not|never|no|nicht|kein\w*|pas|non|não|не)|n['’]t)\s+(?:\w+\s+){0,2}\Z", re.IGNORECASE
)
#: The claim ends where the text goes on to speak for itself.
_CLAIM_END = re.compile(
    r"[,;:—–(]|\s-\s|[.!?]\s|\b(?:but|although|because|whereas|aber|sondern|weil|mais|pero|sino|porque|mas|но)\b",
    re.IGNORECASE,
)
#: What is opposed to what follows its comma: "Contrary to popular belief, …".
_CONTRARY = re.compile(
    r"\b(?:contrary\s+to|despite|in\s+spite\s+of|unlike|entgegen|trotz|contrairement\s+à|malgré|en\s+contra\s+de|a\s+pesar\s+de"
    r"|contrariamente\s+a|nonostante|ao\s+contrário|apesar\s+d|вопреки)[^,;.]{0,160},",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that a text names without making it.

    Attributes:
        tokens: the claim.
        verdict: the words that deny or report it.
        denied: whether the text says that it is not so; else it is open.
    """

    tokens: range
    verdict: range
    denied: bool


def named_claims(view: TextView) -> tuple[Claim, ...]:
    """The denied and the reported claims of a text, in text order; worked out once."""
    known: tuple[Claim, ...] | None = view.memo.get("claims named")
    if known is None:
        known = view.memo["claims named"] = tuple(_read_claims(view))
    return known


def _read_claims(view: TextView) -> Iterator[Claim]:
    hints = _HINTS.get(view.language, ())
    if not any(map(view.text.casefold().__contains__, hints)):
        return
    for sentence in view.sentences:
        if any(map(sentence.text.casefold().__contains__, hints)):
            yield from _claims_in(view, sentence.start, sentence.end)


def _claims_in(view: TextView, start: int, end: int) -> Iterator[Claim]:
    text, language = view.text[start:end], view.language

    def claim(first: int, last: int, verdict: tuple[int, int], denied: bool) -> Claim:
        return Claim(
            view.tokens_between(start + first, start + last),
            view.tokens_between(start + verdict[0], start + verdict[1]),
            denied,
        )

    patterns = _compiled(language)
    for found in patterns["around"].finditer(text) if "around" in patterns else ():
        yield claim(*found.span("claim"), found.span("verdict"), True)
        return
    for found in _PASSIVE.finditer(text) if language == "en" else ():
        yield claim(0, len(text), found.span(), True)
        return
    if "before" not in patterns:
        return
    for found in patterns["before"].finditer(text):
        verdict = next(found.span(name) for name, value in found.groupdict().items() if value)
        if _NOT_BEFORE.search(text, max(0, verdict[0] - 24), verdict[0]) and not _said_not(text[slice(*verdict)]):
            continue  # "it is not a myth that …" says it
        yield claim(found.end(), _end_of(text, found.end()), verdict, True)
        return
    for found in patterns["reported"].finditer(text):
        yield claim(found.end(), _end_of(text, found.end()), found.span(), False)


def _said_not(verdict: str) -> bool:
    return verdict.casefold().startswith(("not ", "nicht ", "pas ", "no ", "non ", "não ", "не "))


def _end_of(text: str, start: int) -> int:
    end = _CLAIM_END.search(text, start)
    return end.start() if end else len(text)


_PATTERNS: dict[str, dict[str, re.Pattern[str]]] = {
    language: {
        name: re.compile(frames[language], re.IGNORECASE)
        for name, frames in (("before", _BEFORE), ("around", _AROUND), ("reported", _REPORTED))
        if language in frames
    }
    for language in _BEFORE
}
#: What stands in every frame of a language, case-folded: a sentence without it is not searched for any of them.
_HINTS = {
    "en": ("that", "mistak", "mistook", "wrongly", "falsely", "incorrectly", "erroneously"),
    "de": ("dass",), "fr": ("qu",), "es": ("que",), "it": ("che",), "pt": ("que",), "ru": ("что",),
}  # fmt: skip


def _compiled(language: str) -> dict[str, re.Pattern[str]]:
    return _PATTERNS.get(language, {})


def claim_at(view: TextView, token: int) -> Claim | None:
    """The named claim that holds a token."""
    claims = named_claims(view)
    if not claims:
        return None
    at = bisect_right(claims, token, key=_first) - 1
    return claims[at] if at >= 0 and token in claims[at].tokens else None


def names_claims(view: TextView, first: int, last: int) -> bool:
    """Whether a denied claim begins in the token range ``[first, last)``."""
    claims = named_claims(view)
    if not claims:
        return False
    found = range(bisect_left(claims, first, key=_first), bisect_left(claims, last, key=_first))
    return any(claims[i].denied for i in found)


def _first(claim: Claim) -> int:
    return claim.tokens.start


def is_stated_against(view: TextView, first: int, token: int) -> bool:
    """Whether a token stands behind "Contrary to popular belief,": the text says it itself.

    Args:
        view: the text.
        first: where the token's sentence begins.
        token: the token.
    """
    key = ("contrary", first)
    known: int | None = view.memo.get(key)
    if known is None:
        sentence = view.sentence_at(view.tokens[first].start)
        found = _CONTRARY.search(view.text, view.tokens[first].start, sentence.end) if sentence else None
        known = view.memo[key] = found.end() if found else len(view.text) + 1
    return known <= view.tokens[token].start
