"""Places in documents and works cited: "Section 4.2", "pp. 45-78", "§ 12", "Okafor et al. (2019)", "arXiv:2105.00123".

>>> from proofing.values import find_values, same
>>> [(v.kind, v.text) for v in find_values("See Sec. 4.2, page 30 and Okafor et al. (2019), arXiv:2105.00123.")]
[('citation', 'Sec. 4.2'), ('citation', 'page 30'), ('citation', 'Okafor et al. (2019)'), ('identifier', 'arXiv:2105.00123')]
>>> same(find_values("Section 4.2")[0], find_values("§ 4.2")[0])
True
>>> same(find_values("page 30")[0], find_values("30 days")[0])
False
>>> find_values("pages 45–78")[0].kind
'range'
>>> [v.kind for v in find_values("as Smith (2021) has it")]
['date']
"""

from __future__ import annotations

import re

from proofing.documents import Span
from proofing.values.base import Reading, Value
from proofing.values.page import Page

_LABELS: dict[str, str] = {
    word: name
    for name, row in {
        "section": "section sections sec secs abschnitt § §§ sección sezione seção раздел sect",
        "chapter": "chapter chapters ch chap kapitel capítulo chapitre capitolo глава главе",
        "page": "page pages p pp pg seite seiten s página páginas pág pagina pagine страница странице стр",
        "figure": "figure figures fig figs abbildung abb figura рис",
        "table": "table tables tabelle tabla tableau tabella tabela",
        "article": "article articles art artikel artículo articolo artigo статья статье ст",
        "clause": "clause clauses cláusula clausola",
        "paragraph": "paragraph paragraphs para absatz párrafo alinéa paragrafo parágrafo",
        "appendix": "appendix annex anhang anexo annexe allegato",
        "equation": "equation eq eqs",
        "step": "step schritt paso étape passo шаг",
        "line": "line zeile línea ligne",
        "slide": "slide",
        "volume": "volume vol band tomo tome",
        "verse": "verse",
        "exercise": "exercise question",
        "number": "no nr № núm",
    }.items()
    for word in row.split()
}
WORDS = frozenset(_LABELS)


def label_of(word: str) -> str:
    """The name of the place that a word introduces ("chapter" for "Kapitel"), "" for other words."""
    return _LABELS.get(word.rstrip("."), "")


_SHORT = frozenset("p s no ch st ст para line step art".split())
_PLACE = re.compile(
    r"(?P<label>[^\W\d_]+|§§?|№)(?P<dot>\.?)[ \u00a0]?(?P<number>\d{1,5}(?:\.\d{1,4}){0,4}(?:\([a-z0-9]{1,3}\)|[a-z](?!\w))?)(?![\d%]|,\d{3}|\.\d)"
)
_TO = re.compile(r"\s?(?:[-–—]|to|through|and|bis|à|a)\s?(?P<number>\d{1,5}(?:\.\d{1,4}){0,4})(?![\d%]|\.\d)")
_NAME = r"[A-ZÀ-ÞА-Я][\w'’-]{1,30}"
_ET_AL = re.compile(rf"(?P<who>{_NAME}(?:(?:,? (?:and|&) |, ){_NAME})*),? $")
_ET_AL_TAIL = re.compile(r"et al\.?(?:['’]s)?,? ?(?:[\[(] ?)?(?P<year>(?:1[5-9]|20)\d{2})(?P<letter>[a-z]?)(?:[\])])?")
_PAIR = re.compile(rf"(?P<who>{_NAME}(?:, {_NAME})*,? (?:and|&) {_NAME})(?P<open>,? [\[(]|, )$")
_PARENTHESIS = re.compile(rf"[(;] ?(?:see |e\.g\.,? |cf\. )?(?P<who>{_NAME}), $")
_ARXIV = re.compile(
    r"arxiv(?::|\s)?\s?(?:preprint\s)?(?:arxiv:\s?)?(?P<id>\d{4}\.\d{4,5}|[a-z-]+/\d{7})(?:v\d{1,2})?(?!\d)"
)
_NO_AUTHORS = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday since until however therefore also".split()
)


def place_at(page: Page, start: int, floor: int) -> Value | None:
    """ "Section 4.2", "p. 30", "§ 12" at `start`; two numbers joined by a dash or "to" make a range of places."""
    match = _PLACE.match(page.low, start)
    if match is None or (start > 0 and (page.text[start - 1].isalnum() or page.text[start - 1] in "-'’")):
        return None
    label = match["label"]
    if label in _SHORT and not match["dot"] and label in ("p", "s", "no", "ch", "art", "ст", "para"):
        return None
    if label in ("no", "sec", "art") and match["dot"] and not match["number"]:
        return None
    name = _LABELS[label]
    if name == "number":
        return _place(page, start, match, "identifier", f"no {match['number']}")
    first = _place(page, start, match, "citation", f"{name} {match['number']}")
    more = _TO.match(page.low, match.end())
    plural = label.endswith("s") or label in ("pp", "§§", "seiten", "pagine")
    if more is None or not plural or (more.group().strip().startswith(("and", "to")) and not plural):
        return first
    second = Value("citation", page.text[slice(*more.span("number"))], *more.span("number"),
                   (Reading("citation", f"{name} {more['number']}", name),), digits_span=Span(*more.span("number")))  # fmt: skip
    text = page.text[start : more.end()]
    amount = (f"{name} {match['number']}", f"{name} {more['number']}")
    return Value("range", text, start, more.end(), (Reading("range:citation", amount, name),), ends=(first, second),
                 digits_span=Span(match.start("number"), more.end()))  # fmt: skip


def _place(page: Page, start: int, match: re.Match[str], kind: str, amount: str) -> Value:
    dimension = "citation" if kind == "citation" else "id"
    return Value(kind, page.text[start : match.end()], start, match.end(), (Reading(dimension, amount, amount.partition(" ")[0]),),
                 digits_span=Span(*match.span("number")))  # fmt: skip


def et_al_at(page: Page, start: int, floor: int) -> Value | None:
    """ "Okafor et al. (2019)" at the word "et"."""
    tail = _ET_AL_TAIL.match(page.text, start)
    if tail is None:
        return None
    begin = max(floor, start - 80)
    names = _ET_AL.search(page.text[begin:start])
    if names is None:
        return None
    end = tail.end()
    opened = any(c in tail.group() for c in "([")
    if not opened and page.text[end - 1] in ")]":
        end -= 1
    return _cited(
        page,
        begin + names.start(),
        end,
        names["who"].split(",")[0].split(" ")[0] + " et al",
        tail["year"] + tail["letter"],
        start + tail.start("year") - start,
    )


def author_year_at(page: Page, start: int, floor: int) -> Value | None:
    """ "Smith and Jones (2019)", "(Smith, 2019)" at the year; a single name before a parenthesis is left to dates."""
    text = page.text
    year = text[start : start + 4]
    if not ("1500" <= year <= "2099" and year.isdigit()):
        return None
    begin = max(floor, start - 90)
    before = text[begin:start]
    if not before or before[-1] not in "( [":
        return None
    match = _PAIR.search(before) or _PARENTHESIS.search(before)
    if match is None or any(w.lower() in _NO_AUTHORS for w in re.findall(r"\w+", match["who"])):
        return None
    end = start + 4
    if text[end : end + 1].isalpha() and not text[end + 1 : end + 2].isalnum():
        end += 1
    closing = text[end : end + 1]
    opened = "open" in match.re.groupindex and match["open"].strip(" ,") in ("(", "[")
    if closing not in (")", ";", "]"):
        return None
    key = year + page.low[start + 4 : end]
    return _cited(page, begin + match.start("who"), end + (1 if opened else 0), match["who"], key, start)


def _cited(page: Page, start: int, end: int, who: str, year: str, year_start: int) -> Value:
    names = [w.lower() for w in re.findall(r"[\w'’-]+", who) if w.lower() != "and"]
    year_value = Value("date", year[:4], year_start, year_start + 4, (Reading("date", (int(year[:4]), None, None), "year"),),
                       digits_span=Span(year_start, year_start + 4))  # fmt: skip
    return Value("citation", page.text[start:end], start, end, (Reading("citation", " ".join([*names, year])),), ends=(year_value,),
                 digits_span=Span(start, end))  # fmt: skip


def arxiv_at(page: Page, start: int, floor: int) -> Value | None:
    match = _ARXIV.match(page.low, start)
    if match is None:
        return None
    return Value("identifier", page.text[start : match.end()], start, match.end(), (Reading("id", f"arxiv {match['id']}", "arxiv"),),
                 digits_span=Span(*match.span("id")))  # fmt: skip
