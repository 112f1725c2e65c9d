"""Money: signs, codes and names of currencies, before or after the amount.

>>> from proofing.values import find_values, same
>>> [v.text for v in find_values("$10,000, USD 10,000, 10,000 dollars, 3.2 bn €, Rs 12,34,567 and R$ 5")]
['$10,000', 'USD 10,000', '10,000 dollars', '3.2 bn €', 'Rs 12,34,567', 'R$ 5']
>>> a, b, c = find_values("$10,000 or 10 thousand dollars or €10,000")
>>> same(a, b), same(a, c)
(True, False)
>>> [str(v.amount) for v in find_values("Net income was $(1,250), then -$40.")]
['-1250', '-40']

A dollar sign alone is read as US dollars and, after that, as any other dollar; "US$" and "A$" never equal each other.
"""

from __future__ import annotations

import re
from fractions import Fraction

from proofing.values.unit_table import UNITS, Unit, scale_of


def _money(*codes: str, factor: Fraction | int = 1) -> Unit:
    return Unit("money", codes[0], tuple(scale_of(f"money:{code}", factor) for code in codes))


_HUNDREDTH = Fraction(1, 100)
CODES = (
    "USD EUR GBP JPY CNY INR BRL RUB CHF CAD AUD NZD HKD SGD SEK NOK DKK PLN CZK HUF TRY ZAR MXN ARS CLP COP KRW THB IDR PHP "
    "VND ILS AED SAR EGP NGN KES UAH RON BGN ISK PKR LKR BDT TWD MYR BTC ETH RMB"
).split()
_DOLLARS = ("CAD", "AUD", "NZD", "HKD", "SGD", "TWD")
ISO: dict[str, Unit] = {code: _money(code) for code in CODES}
ISO["RMB"] = _money("CNY")
SIGNS: dict[str, Unit] = {
    "$": _money("USD", *_DOLLARS), "US$": ISO["USD"], "CA$": ISO["CAD"], "C$": ISO["CAD"], "A$": ISO["AUD"], "AU$": ISO["AUD"],
    "NZ$": ISO["NZD"], "HK$": ISO["HKD"], "S$": ISO["SGD"], "R$": ISO["BRL"], "MX$": ISO["MXN"], "€": ISO["EUR"], "£": ISO["GBP"],
    "¥": _money("JPY", "CNY"), "￥": _money("JPY", "CNY"), "₹": ISO["INR"], "₽": ISO["RUB"], "₩": ISO["KRW"], "₺": ISO["TRY"],
    "₴": ISO["UAH"], "₫": ISO["VND"], "฿": ISO["THB"], "₦": ISO["NGN"], "₪": ISO["ILS"], "₱": ISO["PHP"], "₿": ISO["BTC"],
    "Rs": _money("INR", "PKR", "LKR"), "kr": _money("SEK", "NOK", "DKK"), "Fr": ISO["CHF"], "zł": ISO["PLN"], "¢": _money("USD", *_DOLLARS, factor=_HUNDREDTH),
}  # fmt: skip
_NAMES: dict[Unit, str] = {
    SIGNS["$"]: "dollar dollars bucks dólar dólares dollaro dollari доллар доллара долларов",
    ISO["EUR"]: "euro euros евро",
    ISO["JPY"]: "yen иен",
    ISO["CNY"]: "yuan renminbi юань юаней",
    SIGNS["Rs"]: "rupee rupees rupien rupias roupies рупий",
    ISO["BRL"]: "real reais reales",
    ISO["RUB"]: "rouble roubles ruble rubles rubel рубль рубля рублей руб рублях",
    _money("CHF", "FRF"): "franc francs franken franco francos franchi",
    _money("NOK", "DKK"): "krone kroner",
    _money("SEK", "ISK"): "krona kronor",
    ISO["GBP"]: "sterling quid libras",
    ISO["PLN"]: "zloty zlotys złoty złotych",
    ISO["TRY"]: "lira liras",
    ISO["KRW"]: "won",
    ISO["ILS"]: "shekel shekels",
    ISO["THB"]: "baht",
    _money("MXN", "ARS", "CLP", "COP", "PHP"): "peso pesos",
    _money("ZAR"): "rand",
    _money(
        "USD", "EUR", *_DOLLARS, factor=_HUNDREDTH
    ): "cent cents centavos céntimos centimes cêntimos centesimi центов",
    _money("GBP", factor=_HUNDREDTH): "pence penny",
    _money("RUB", factor=_HUNDREDTH): "копеек копейки",
    ISO["BTC"]: "bitcoin bitcoins",
}
for _unit, _row in _NAMES.items():
    for _name in _row.split():
        UNITS.setdefault(_name, _unit)
for _name, _unit in [*ISO.items(), *((s, u) for s, u in SIGNS.items() if s not in ("Rs", "Fr"))]:
    UNITS.setdefault(_name, _unit)
UNITS["kr"] = SIGNS["kr"]
UNITS["zł"] = ISO["PLN"]

#: Names of two words, by their first.
ADJECTIVES: dict[str, Unit] = {
    "us": ISO["USD"], "u.s": ISO["USD"], "american": ISO["USD"], "canadian": ISO["CAD"], "australian": ISO["AUD"], "singapore": ISO["SGD"],
    "swiss": ISO["CHF"], "swedish": ISO["SEK"], "norwegian": ISO["NOK"], "danish": ISO["DKK"], "indian": ISO["INR"],
    "british": ISO["GBP"], "mexican": ISO["MXN"], "japanese": ISO["JPY"], "chinese": ISO["CNY"], "brazilian": ISO["BRL"],
    "russian": ISO["RUB"], "hong kong": ISO["HKD"],
}  # fmt: skip
#: Their first words as letters alone.
NAMES_OPEN = frozenset(re.split(r"\W", name)[0] for name in ADJECTIVES)
_ADJECTIVE = re.compile(
    r"[ -](u\.?s|american|canadian|australian|singapore|swiss|swedish|norwegian|danish|indian|british|mexican|japanese|chinese|"
    r"brazilian|russian|hong kong)\.?[ -](?:dollars?|pounds?|francs?|kron[aeo]r?|rupees?|pesos?|yen|yuan|rea(?:l|is)|roubles?|rubles?)\b"
)
_PREFIX = re.compile(
    r"(?P<minus>[-−–][ ]?)?(?P<paren>\()?(?P<name>(?:US|CA|AU|NZ|HK|MX|[ACRS])?\$|[€£¥￥₹₽₩₺₴₫฿₦₪₱₿]|\b(?:"
    + "|".join(CODES)
    + r")|\bRs\.?|\bkr\.?|\bFr\.)[ \u00a0\u202f]?(?P<inner>[-−(])?$"
)
#: A character that can end a currency written before an amount.
_LAST = frozenset("$€£¥￥₹₽₩₺₴₫฿₦₪₱₿-−(.sr" + "".join({code[-1] for code in CODES}))
#: The small letters among them, which only end "kr" and "Rs".
_LONELY = frozenset("sr")


def prefix_before(text: str, start: int, floor: int) -> tuple[int, Unit, bool, bool] | None:
    """A currency written before the number at `start`.

    Returns:
        ``(begin, unit, minus, parenthesis)``, or None. `minus` says that a minus sign belongs to the amount,
        `parenthesis` that an opening one does (accountants write losses that way).
    """
    if start <= floor:
        return None
    last = text[start - 1]
    if last in " \u00a0\u202f" and start - 2 >= floor:
        last = text[start - 2]
    if last not in _LAST:
        return None
    if last in _LONELY and text[max(0, start - 3) : start].rstrip(" \u00a0\u202f")[-2:] not in ("kr", "Rs"):
        return None  # "for 5", "was 5"
    begin = max(floor, start - 8)
    match = _PREFIX.search(text[begin:start])
    if match is None:
        return None
    name = match["name"].rstrip(".")
    unit = SIGNS.get(name) or ISO[name]
    inner = match["inner"] or ""
    first = begin + match.start("name")
    minus = inner in ("-", "−") and inner != ""
    if match["minus"] is not None and not match["minus"].endswith(" ") and _may_be_signed(text, begin + match.start()):
        first, minus = begin + match.start(), True
    paren = inner == "("
    return first, unit, minus, paren


def _may_be_signed(text: str, position: int) -> bool:
    """Whether a minus at `position` is a sign and no dash between two things."""
    return position == 0 or not (text[position - 1].isalnum() or text[position - 1] in "-–—−)%")


def named_after(low: str, end: int) -> tuple[int, Unit] | None:
    """ "U.S. dollars", "Swiss francs" right after an amount."""
    match = _ADJECTIVE.match(low, end)
    return (match.end(), ADJECTIVES[match[1].replace("u.s", "us")]) if match else None
