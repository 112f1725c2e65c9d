"""The names of the days of the week in seven languages, as they are said of a day ("lundi", "montags") and short.

>>> DAY_FORMS["de"]["mittwochs"], DAY_FORMS["pt"]["sáb"], DAY_FORMS["en"]["thurs"]
(2, 5, 3)
"""

from __future__ import annotations

#: By language, what each day is called, Monday first.
_NAMES: dict[str, tuple[str, ...]] = {
    "en": (
        "monday mondays mon", "tuesday tuesdays tue tues", "wednesday wednesdays wed",
        "thursday thursdays thu thur thurs", "friday fridays fri", "saturday saturdays sat", "sunday sundays sun",
    ),
    "de": (
        "montag montags montagen mo", "dienstag dienstags dienstagen di", "mittwoch mittwochs mittwochen mi",
        "donnerstag donnerstags donnerstagen do", "freitag freitags freitagen fr",
        "samstag samstags samstagen sonnabend sonnabends sa", "sonntag sonntags sonntagen so",
    ),
    "es": ("lunes lun", "martes mar", "miércoles miercoles mié", "jueves jue", "viernes vie",
           "sábado sábados sabado sáb", "domingo domingos dom"),
    "fr": ("lundi lundis lun", "mardi mardis mar", "mercredi mercredis mer", "jeudi jeudis jeu",
           "vendredi vendredis ven", "samedi samedis sam", "dimanche dimanches dim"),
    "it": ("lunedì lun", "martedì mar", "mercoledì mer", "giovedì gio", "venerdì ven", "sabato sabati sab",
           "domenica domeniche dom"),
    "pt": ("segunda segundas seg", "terça terças ter", "quarta quartas qua", "quinta quintas qui", "sexta sextas sex",
           "sábado sábados sáb", "domingo domingos dom"),
    "ru": (
        "понедельник понедельника понедельникам пн", "вторник вторника вторникам вт", "среда среду средам ср",
        "четверг четверга четвергам чт", "пятница пятницу пятницы пятницам пт", "суббота субботу субботы субботам сб",
        "воскресенье воскресенья воскресеньям вс",
    ),
}  # fmt: skip
#: English names, for notes.
WEEKDAYS = tuple(names.split()[0] for names in _NAMES["en"])
#: By language, the day that each name stands for, 0 = Monday.
DAY_FORMS: dict[str, dict[str, int]] = {
    language: {form: day for day, names in enumerate(days) for form in names.split()}
    for language, days in _NAMES.items()
}
#: Names that say something else as often ("segunda" is "second"): days only in company ("segunda-feira", "segunda a sexta").
ORDINALS = frozenset(f"{name}{s}" for name in ("segunda", "terça", "quarta", "quinta", "sexta") for s in ("", "s"))
