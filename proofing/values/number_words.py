"""Number words of seven languages, as tables; `spelled` joins them into numbers.

Each word says what it adds or multiplies by. Words that mean something else in another language ("once" is
eleven in Spanish, "sei" is six in Italian and a verb in German) are listed apart and only read where that
language is spoken.

>>> [(w.language, w.amount, w.role) for w in WORDS["quinze"]]
[('fr', 15, 'teen'), ('pt', 15, 'teen')]
>>> WORDS["dreihundertvierzig"][0].amount
340
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Word(NamedTuple):
    """One number word: ``role`` is unit, teen, tens, hundred (multiplies), hundreds (adds), scale or whole."""

    language: str
    amount: int
    role: str
    bare: bool = True  # may stand without a number before it ("mil euros", not "million euros")


_ROLES = ("unit", "teen", "tens", "hundreds")
#: Per language: units 1-9, then 10-19, then tens 20-90, then hundreds; "/" parts forms of one number.
_PLAIN = {
    "en": (
        "one two three four five six seven eight nine",
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
        "twenty thirty forty/fourty fifty sixty seventy eighty ninety",
        "",
    ),
    "es": (
        "uno/un/una dos tres cuatro cinco seis siete ocho nueve",
        "diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve",
        "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        (
            "cien/ciento doscientos/doscientas trescientos/trescientas cuatrocientos/cuatrocientas quinientos/quinientas "
            "seiscientos/seiscientas setecientos/setecientas ochocientos/ochocientas novecientos/novecientas"
        ),
    ),
    "fr": (
        "un/une deux trois quatre cinq six sept huit neuf",
        "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
        "vingt/vingts trente quarante cinquante soixante septante huitante/octante nonante",
        "",
    ),
    "it": (
        "uno/un/una due tre quattro cinque sei sette otto nove",
        "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
        "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        "cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento",
    ),
    "pt": (
        "um/uma dois/duas três/tres quatro cinco seis sete oito nove",
        "dez onze doze treze quatorze/catorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
        (
            "cem/cento duzentos/duzentas trezentos/trezentas quatrocentos/quatrocentas quinhentos/quinhentas "
            "seiscentos/seiscentas setecentos/setecentas oitocentos/oitocentas novecentos/novecentas"
        ),
    ),
    "ru": (
        (
            "один/одна/одно/одного/одной два/две/двух/двум/двумя три/трёх/трех/трём/тремя четыре/четырёх/четырех/четырьмя "
            "пять/пяти/пятью шесть/шести/шестью семь/семи восемь/восьми девять/девяти"
        ),
        (
            "десять/десяти одиннадцать/одиннадцати двенадцать/двенадцати тринадцать/тринадцати четырнадцать/четырнадцати "
            "пятнадцать/пятнадцати шестнадцать/шестнадцати семнадцать/семнадцати восемнадцать/восемнадцати "
            "девятнадцать/девятнадцати"
        ),
        (
            "двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти "
            "семьдесят/семидесяти восемьдесят/восьмидесяти девяносто/девяноста"
        ),
        (
            "сто/ста двести/двухсот триста/трёхсот/трехсот четыреста/четырёхсот/четырехсот пятьсот/пятисот шестьсот/шестисот "
            "семьсот/семисот восемьсот/восьмисот девятьсот/девятисот"
        ),
    ),
}
#: Powers of ten by language: words, exponent, and whether they may stand alone.
_SCALES = {
    "en": (("thousand/thousands", 3, 0), ("million/millions", 6, 0), ("billion/billions", 9, 0), ("trillion/trillions", 12, 0),
           ("quadrillion", 15, 0), ("lakh/lakhs", 5, 0), ("crore/crores", 7, 0)),
    "es": (("mil", 3, 1), ("millón/millon/millones", 6, 0), ("billón/billones", 12, 0)),
    "de": (("tausend", 3, 1), ("million/millionen", 6, 0), ("milliarde/milliarden", 9, 0), ("billion/billionen", 12, 0)),
    "fr": (("mille", 3, 1), ("million/millions", 6, 0), ("milliard/milliards", 9, 0), ("billion/billions", 12, 0)),
    "it": (("mille/mila", 3, 1), ("milione/milioni", 6, 0), ("miliardo/miliardi", 9, 0), ("bilione/bilioni", 12, 0)),
    "pt": (("mil", 3, 1), ("milhão/milhões/milhao/milhoes", 6, 0), ("bilhão/bilhões", 9, 0), ("bilião/biliões", 12, 0),
           ("trilhão/trilhões", 12, 0)),
    "ru": (("тысяча/тысячи/тысяч/тысячу", 3, 1), ("миллион/миллиона/миллионов", 6, 0), ("миллиард/миллиарда/миллиардов", 9, 0),
           ("триллион/триллиона/триллионов", 12, 0)),
}  # fmt: skip
_DE_UNITS = "ein zwei drei vier fünf sechs sieben acht neun".split()
_DE_TEENS = "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
_DE_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_IT_TENS = "venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split()

#: Words that mean something else in another language: only read where their own language is spoken.
AMBIGUOUS = frozenset(
    {("fr", "seize")}
    | {("es", w) for w in ("un", "una", "uno", "dos", "tres", "once", "seis", "mil", "siete", "doce")}
    | {("de", w) for w in ("elf", "acht", "ein", "eins", "million", "billion")}
    | {
        ("fr", w)
        for w in (
            "un",
            "une",
            "six",
            "dix",
            "sept",
            "neuf",
            "cent",
            "cents",
            "mille",
            "million",
            "millions",
            "billion",
            "billions",
            "onze",
            "vingt",
        )
    }
    | {
        ("it", w)
        for w in ("un", "una", "uno", "due", "tre", "sei", "sette", "otto", "nove", "venti", "cento", "mille", "mila")
    }
    | {
        ("pt", w)
        for w in (
            "um",
            "uma",
            "dois",
            "tres",
            "seis",
            "sete",
            "nove",
            "dez",
            "onze",
            "doze",
            "cem",
            "cento",
            "mil",
            "oito",
        )
    }
    | {("ru", w) for w in ("ста", "три", "сорока", "семи")}
)
#: The word for one, which is also the article or a pronoun: a number only before a scale or a unit.
ARTICLES = frozenset("un una uno une um uma ein eine einen einem einer eines a an".split())


def _below_thousand_de() -> dict[str, int]:
    below: dict[str, int] = {"eins": 1, "zwo": 2}
    below.update({word: amount for amount, word in enumerate(_DE_UNITS[1:], 2)})
    below.update({word: amount for amount, word in enumerate(_DE_TEENS, 10)})
    for ten, word in enumerate(_DE_TENS, 2):
        below[word] = ten * 10
        for one, unit in enumerate(_DE_UNITS, 1):
            below[f"{unit}und{word}"] = ten * 10 + one
    hundred = {"hundert": 100, **{f"{unit}hundert": amount * 100 for amount, unit in enumerate(_DE_UNITS, 1)}}
    for word, amount in hundred.items():
        below.update({word + rest: amount + plus for rest, plus in list(below.items()) if plus < 100})
    below.update(hundred)
    below.update({w.replace("ß", "ss"): a for w, a in list(below.items()) if "ß" in w})
    return below


def _compounds_it() -> dict[str, int]:
    units = "uno due tre quattro cinque sei sette otto nove".split()
    teens = "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split()
    below: dict[str, int] = {word: amount for amount, word in enumerate(teens, 10)}
    for ten, word in enumerate(_IT_TENS, 2):
        below[word] = ten * 10
        for one, unit in enumerate(units, 1):
            stem = word[:-1] if unit[0] in "uo" else word
            below[stem + unit] = ten * 10 + one
            if one == 3:
                below[f"{stem}tré"] = ten * 10 + 3
    small = dict(below) | {unit: amount for amount, unit in enumerate(units, 1)}
    out = dict(below)
    for amount, prefix in enumerate(["", *units[1:]], 1):
        hundred = f"{prefix}cento"
        out[hundred] = amount * 100
        out.update({hundred + rest: amount * 100 + plus for rest, plus in small.items()})
    return out


def _build() -> dict[str, tuple[Word, ...]]:
    found: dict[str, list[Word]] = {}

    def add(language: str, word: str, amount: int, role: str, bare: bool = True) -> None:
        entries = found.setdefault(word, [])
        if all(entry.language != language for entry in entries):
            entries.append(Word(language, amount, role, bare))

    for language, rows in _PLAIN.items():
        for role, row, first, step in zip(_ROLES, rows, (1, 10, 20, 100), (1, 1, 10, 100), strict=True):
            for place, forms in enumerate(row.split()):
                for form in forms.split("/"):
                    add(language, form, first + place * step, role)
    for language, scales in _SCALES.items():
        for forms, exponent, bare in scales:
            for form in forms.split("/"):
                add(language, form, 10**exponent, "scale", bool(bare))
    for language, words in (("de", _below_thousand_de()), ("it", _compounds_it())):
        for word, amount in words.items():
            role = "unit" if amount < 10 else "hundreds" if amount % 100 == 0 else "whole"
            add(language, word, amount, role)
    for tail, amount in zip(
        "un dós dos trés tres cuatro cinco séis seis siete ocho nueve".split(),
        (1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9),
        strict=True,
    ):
        add("es", f"veinti{tail}", 20 + amount, "teen")
    for tail in ("uno", "ún", "una"):
        add("es", f"veinti{tail}", 21, "teen")
    add("en", "hundred", 100, "hundred", False)
    add("fr", "cent", 100, "hundred")
    add("fr", "cents", 100, "hundred", False)
    add("en", "dozen", 12, "dozen", False)
    add("en", "zero", 0, "zero")
    for language, word in (
        ("de", "null"),
        ("es", "cero"),
        ("fr", "zéro"),
        ("ru", "ноль"),
        ("de", "dutzend"),
        ("es", "docena"),
        ("fr", "douzaine"),
        ("it", "dozzina"),
        ("pt", "dúzia"),
        ("ru", "дюжина"),
    ):
        add(language, word, 12 if len(word) > 5 or word == "dúzia" else 0, "dozen" if len(word) > 4 else "zero", False)
    return {word: tuple(entries) for word, entries in found.items()}


WORDS: dict[str, tuple[Word, ...]] = _build()
del WORDS["null"]

#: Numbers and a half in one word.
HALVES: dict[str, Fraction] = {
    word: Fraction(2 * whole + 1, 2)
    for whole, row in enumerate(
        ("anderthalb eineinhalb полтора полторы полутора", "zweieinhalb", "dreieinhalb", "viereinhalb", "fünfeinhalb"),
        1,
    )
    for word in row.split()
}

#: Fractions in words: denominators by language; the numerator is a number word, an article or nothing.
PARTS: dict[str, tuple[str, int]] = {
    word: (language, denominator)
    for language, row in {
        "en": "half/2 halves/2 third/3 thirds/3 quarter/4 quarters/4 fourths/4 fifth/5 fifths/5 sixth/6 sixths/6 sevenths/7 eighth/8 "
        "eighths/8 ninths/9 tenth/10 tenths/10 hundredths/100",
        "de": "hälfte/2 drittel/3 dritteln/3 viertel/4 vierteln/4 fünftel/5 sechstel/6 siebtel/7 achtel/8 neuntel/9 zehntel/10",
        "fr": "moitié/2 tiers/3 quarts/4 quart/4 cinquième/5 cinquièmes/5 dixième/10 dixièmes/10",
        "es": "mitad/2 tercio/3 tercios/3 cuartos/4 quintos/5 décimo/10 décimos/10",
        "it": "metà/2 terzi/3 quarti/4 quinti/5 decimo/10 decimi/10",
        "pt": "metade/2 terço/3 terços/3 quartos/4 quintos/5 décimo/10 décimos/10",
        "ru": "половина/2 половину/2 половины/2 трети/3 четверти/4",
    }.items()
    for word, denominator in ((entry.partition("/")[0], int(entry.partition("/")[2])) for entry in row.split())
}
#: Parts that are the words of ordinals: only behind an article and before "of the" ("un terzo dei soci").
ORDINAL_PARTS: dict[str, int] = {
    "terzo": 3, "quarto": 4, "cuarto": 4, "quinto": 5, "sesto": 6, "sexto": 6, "ottavo": 8, "octavo": 8, "oitavo": 8,
    "nono": 9, "noveno": 9, "decimo": 10, "cinquième": 5, "sixième": 6, "huitième": 8, "треть": 3, "четверть": 4,
    "tercera": 3, "cuarta": 4, "quinta": 5, "sexta": 6, "décima": 10, "terza": 3, "quarta": 4, "decima": 10, "terça": 3,
}  # fmt: skip
