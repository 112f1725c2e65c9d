"""Names of months in seven languages, as CLDR has them (a test compares this table with Babel's data).

The table stands here, and is not loaded from Babel, because reading seven locales costs a third of a second at
the first text.

>>> MONTHS["mars"], MONTHS["märz"], MONTHS["сент"], MONTHS["dez"]
(3, 3, 9, 12)
"""

from __future__ import annotations

_NAMES: dict[str, str] = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
}
_OTHER: dict[str, str] = {
    "en": "jan feb mar apr may jun jul aug sep/sept oct nov dec",
    "es": "ene feb mar abr may jun jul ago sept/sep/setiembre oct nov dic",
    "de": "jan/jän/jänner feb/feber mär/maerz/mrz apr mai jun/juno jul aug sept/sep okt nov dez",
    "fr": "janv févr/fév/fevrier mars avr mai juin juil août/aout sept oct nov déc/decembre",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar/marco abr mai jun jul ago set out nov dez",
    "ru": "январь/янв февраль/февр/фев март/мар апрель/апр май июнь/июн июль/июл август/авг сентябрь/сент/сен октябрь/окт ноябрь/нояб декабрь/дек",
}
_LOCATIVE = "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре"


def _build() -> dict[str, int]:
    months: dict[str, int] = {}
    for row in (*_NAMES.values(), *_OTHER.values(), _LOCATIVE):
        for number, forms in enumerate(row.split(), 1):
            for form in forms.split("/"):
                months[form] = number
    return months


#: Month by lower-case name or abbreviation, without a full stop.
MONTHS: dict[str, int] = _build()
#: Names that are also everyday words; months only next to a day or a year.
ALSO_WORDS = frozenset(
    "may march mar mars mag set out ago dic dec jan mai jun jul sep sept nov oct ott lug giu gen fev feb abr avr apr ene august маи мая мар".split()
)
#: Alternation for regular expressions, longest first.
MONTH_PATTERN = "|".join(sorted(MONTHS, key=lambda m: (-len(m), m)))
