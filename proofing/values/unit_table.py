"""The units that are known, as one look-up from the written word to what it measures.

Factors are exact: international yard and pound (1959), US customary volumes, IEC 80000-13 binary prefixes,
thermochemical calorie (4.184 J), Julian light-year. A word may have several legitimate meanings (*pounds* of
money or mass); all are kept.

>>> UNITS["km"].scales[0].factor, UNITS["mile"].scales[0].factor
(Fraction(1000, 1), Fraction(201168, 125))
>>> [s.dimension for s in UNITS["pounds"].scales]
['money:GBP', 'mass']
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

ONE, ZERO = Fraction(1), Fraction(0)


class Scale(NamedTuple):
    """How an amount in a unit becomes one in the base unit: ``(amount + shift) * factor``."""

    dimension: str
    factor: Fraction
    shift: Fraction = ZERO

    def base(self, amount: Fraction) -> Fraction:
        """An amount in the base unit."""
        return times(amount + self.shift if self.shift is not ZERO else amount, self.factor)


class Unit(NamedTuple):
    """A unit by its canonical name, with the kind of value it makes and its possible scales."""

    kind: str
    name: str
    scales: tuple[Scale, ...]


def scale_of(dimension: str, factor: Fraction | int | str, shift: Fraction | int = 0) -> Scale:
    """A scale whose factor of one and shift of nothing are `ONE` and `ZERO` themselves: most scales have them, and
    `times` and `Scale.base` pass those by."""
    return Scale(dimension, ONE if factor in (1, "1") else Fraction(factor), Fraction(shift) if shift else ZERO)


def times(amount: Fraction, factor: Fraction) -> Fraction:
    """The product; exact fractions are slow to multiply, and most factors are `ONE`."""
    if factor is ONE:
        return amount
    return factor if amount is ONE else amount * factor


def _unit(kind: str, name: str, dimension: str, factor: Fraction | int | str, shift: Fraction | int = 0) -> Unit:
    return Unit(kind, name, (scale_of(dimension, factor, shift),))


#: dimension: entries of "factor name alias alias …"; aliases are read in any case unless they hold a capital.
_TABLE = {
    "length": """
        1e-9 nm nanometer nanometre nanometers nanometres
        1e-6 µm μm micron microns micrometer micrometers micrometre micrometres mikrometer
        1e-3 mm millimeter millimetre millimeters millimetres milímetro milímetros millimètre millimètres millimetro millimetri мм
        1e-2 cm centimeter centimetre centimeters centimetres zentimeter centímetro centímetros centimètre centimètres centimetro centimetri см
        1e-1 dm decimeter decimetre
        1 m meter metre meters metres metern metro metros mètre mètres metri м метр метра метров
        1e3 km kilometer kilometre kilometers kilometres kilometern kilómetro kilómetros kilomètre kilomètres chilometro chilometri quilómetro quilómetros quilômetro quilômetros км километр километра километров
        0.0254 inch inches zoll pulgada pulgadas pouce pouces pollice pollici polegada polegadas дюйм дюйма дюймов
        0.3048 ft foot feet fuß piede piedi
        0.9144 yd yard yards yarda yardas
        1609.344 mile miles mi meile meilen milla millas miglio miglia milha milhas миля мили миль
        1852 nmi
        149597870700 AU
        9460730472580800 ly lightyear lightyears lichtjahr lichtjahre""",
    "mass": """
        1e-9 µg μg mcg microgram micrograms mikrogramm
        1e-6 mg milligram milligrams milligramm miligramo miligramos milligramme milligrammes milligrammi miligrama miligramas мг
        1e-3 g gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas gr г грамм грамма граммов
        1 kg kilo kilos kilogram kilograms kilogramm kilogramo kilogramos kilogramme kilogrammes chilo chili chilogrammo chilogrammi quilo quilos quilograma quilogramas кг килограмм килограмма килограммов
        1000 t tonne tonnes tonelada toneladas tonnellata tonnellate т тонна тонны тонн
        0.45359237 lb lbs
        0.028349523125 oz ounce ounces unze unzen onza onzas once onces oncia once onça onças
        6.35029318 stone""",
    "volume": """
        1e-6 ml mL milliliter millilitre milliliters millilitres mililitro mililitros millilitro millilitri мл cc
        1e-5 cl cL centiliter centilitre zentiliter
        1e-4 dl dL deciliter decilitre deziliter
        1e-3 l L liter litre liters litres litern litro litros litri л литр литра литров
        1e-1 hl hL hectoliter hectolitre hektoliter
        1 m³ m3 cbm kubikmeter м³
        1e-6 cm³ cm3
        0.000236588236500 cup cups
        0.00000492892159375 tsp teaspoon teaspoons
        0.00001478676478125 tbsp tablespoon tablespoons
        0.003785411784 gal gallon gallons galón galones
        0.000946352946 qt quart quarts
        0.000473176473 pint pints
        0.158987294928 barrel barrels bbl barril barriles barris baril barils""",
    "area": """
        1e-6 mm² mm2
        1e-4 cm² cm2
        1 m² m2 sqm qm quadratmeter м²
        1e6 km² km2 quadratkilometer км²
        1e4 ha hectare hectares hektar hectárea hectáreas ettaro ettari га гектар гектара гектаров
        0.09290304 sqft ft²
        4046.8564224 acre acres""",
    "data": """
        1 bit bits
        1000 kbit kbits
        1000000 Mbit Mbits Mb megabit megabits
        1000000000 Gbit Gbits Gb gigabit gigabits
        8 byte bytes octet octets
        8000 kB KB kilobyte kilobytes
        8000000 MB megabyte megabytes
        8000000000 GB gigabyte gigabytes gigaoctet Go
        8000000000000 TB terabyte terabytes
        8000000000000000 PB petabyte petabytes
        8192 KiB kibibyte kibibytes
        8388608 MiB mebibyte mebibytes
        8589934592 GiB gibibyte gibibytes
        8796093022208 TiB tebibyte tebibytes""",
    "data rate": """
        1 bps bit/s
        1e3 kbps kbit/s
        1e6 Mbps Mbit/s Mb/s
        1e9 Gbps Gbit/s Gb/s
        8e6 MB/s
        8e9 GB/s""",
    "speed": """
        1 m/s м/с
        5/18 km/h kmh kph kmph км/ч
        0.44704 mph
        0.51444444444444444444 kn knot knots knoten nudo nudos nœud nœuds nodo nodi""",
    "energy": """
        1 J joule joules
        1e3 kJ kilojoule kilojoules
        1e6 MJ megajoule megajoules
        1e9 GJ gigajoule gigajoules
        4.184 cal
        4184 kcal kilocalorie kilocalories calorie calories kalorien caloría calorías calorie calorias ккал
        3600 Wh
        3600000 kWh kilowattstunde kilowattstunden кВт·ч
        3600000000 MWh megawattstunde megawattstunden
        3600000000000 GWh gigawattstunde gigawattstunden
        3600000000000000 TWh terawattstunde terawattstunden
        1.602176634e-19 eV""",
    "power": """
        1e-3 mW milliwatt milliwatts
        1 W watt watts ватт
        1e3 kW kilowatt kilowatts кВт
        1e6 MW megawatt megawatts МВт
        1e9 GW gigawatt gigawatts ГВт
        745.69987158227022 hp horsepower""",
    "pressure": """
        1 Pa pascal pascals
        100 hPa mbar millibar millibars
        1e3 kPa kilopascal
        1e6 MPa megapascal
        1e5 bar bars
        101325 atm
        133.322387415 mmHg
        6894.757293168 psi""",
    "voltage": "1e-3 mV millivolt|1 V volt volts|1e3 kV kilovolt kilovolts",
    "current": "1e-3 mA milliampere milliamp milliamps|1 A amp amps ampere amperes",
    "resistance": "1 Ω ohm ohms|1e3 kΩ kiloohm|1e6 MΩ megaohm",
    "frequency of a signal": "1 Hz hertz|1e3 kHz kilohertz|1e6 MHz megahertz|1e9 GHz gigahertz",
    "concentration": "1 mg/dL mg/dl|1/10 mg/L mg/l|100 g/dL g/dl",
    "molarity": "1 mmol/L mmol/l",
    "dose": "1 mg/kg|1e-3 µg/kg μg/kg mcg/kg",
    "substance": "1e-3 mmol|1 mol mole moles",
    "international units": "1 IU iu",
    "loudness": "1 dB decibel decibels",
    "resolution": "1 px pixel pixels|1e6 MP megapixel megapixels",
    "text length": "1 word words",
    "force": "1 N newton newtons|1e3 kN kilonewton",
    "torque": "1 Nm N·m",
    "charge": "1e-3 mAh|1 Ah",
    "light": "1 lm lumen lumens|1e3 klm",
    "illuminance": "1 lx lux",
    "parts": "1 ppb|1e3 ppm",
    "turning": "1 rpm",
    "radiation dose": "1e-6 µSv μSv|1e-3 mSv millisievert millisieverts|1 Sv sievert sieverts",
    "fuel economy": "1 mpg",
    "screen density": "1 dpi",
    "image rate": "1 fps",
}  # fmt: skip

_DURATIONS = {
    "time.seconds": """
        1e-9 nanosecond ns nanoseconds
        1e-6 microsecond µs μs microseconds
        1e-3 millisecond ms milliseconds millisekunden milisegundos millisecondes millisecondi мс
        1 second s sec secs seconds sekunde sekunden sek segundo segundos seconde secondes secondo secondi сек секунда секунды секунд
        60 minute min mins minutes minuten minuto minutos minuti мин минута минуты минут
        3600 hour h hr hrs hours stunde stunden std hora horas heure heures ora ore ч час часа часов
        86400 day d days Tag Tage Tagen tages día días dia dias jour jours giorno giorni день дня дней днями сутки суток
        604800 week wk wks weeks woche wochen semana semanas semaine semaines settimana settimane неделя недели недель неделю
        1209600 fortnight fortnights""",
    "time.months": """
        1 month mo mos months monat monate monaten monats mes meses mois mese mesi mês месяц месяца месяцев
        3 quarter quarters quartal quartale quartalen trimestre trimestres trimestri квартал квартала кварталов
        6 semester halbjahr halbjahre semestre semestres
        12 year y yr yrs years jahr jahre jahren jahres año años an ans année années anno anni ano anos год года лет
        120 decade decades jahrzehnt jahrzehnte jahrzehnten década décadas décennie décennies decennio decenni десятилетие десятилетия десятилетий
        1200 century centuries jahrhundert jahrhunderte siglo siglos siècle siècles secolo secoli século séculos век века веков
        12000 millennium millennia millennio milenio""",
}


def _entries(table: str) -> list[list[str]]:
    return [line.split() for line in table.replace("|", "\n").split("\n") if line.strip()]


def _build() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for kind, tables in (("quantity", _TABLE), ("duration", _DURATIONS)):
        for dimension, table in tables.items():
            for factor, name, *aliases in _entries(table):
                unit = _unit(kind, name, dimension, factor)
                for alias in (name, *aliases):
                    units.setdefault(alias, unit)
    pound = Scale("mass", Fraction("0.45359237"))
    for word in ("pound", "pounds"):
        units[word] = Unit("money", "GBP", (Scale("money:GBP", Fraction(1)), pound))
    ton = (Scale("mass", Fraction(1000)), Scale("mass", Fraction("907.18474")))
    for word in ("ton", "tons"):
        units[word] = Unit("quantity", "ton", ton)
    for word in ("°c", "℃", "°C", "ºC"):
        units[word] = CELSIUS
    for word in ("°f", "℉", "°F", "ºF"):
        units[word] = FAHRENHEIT
    for word in (
        "°",
        "º",
        "degree",
        "degrees",
        "grad",
        "grados",
        "degrés",
        "gradi",
        "graus",
        "градус",
        "градуса",
        "градусов",
    ):
        units[word] = DEGREES
    units["F"] = FAHRENHEIT
    units["kelvin"] = units["kelvins"] = _unit("quantity", "K", "temperature", 1)
    return units


CELSIUS = _unit("quantity", "°C", "temperature", 1, Fraction("273.15"))
FAHRENHEIT = _unit("quantity", "°F", "temperature", Fraction(5, 9), Fraction("459.67"))
#: "15 degrees" may be an angle or a temperature on either scale.
DEGREES = Unit("quantity", "degree", (Scale("angle", Fraction(1)), CELSIUS.scales[0], FAHRENHEIT.scales[0]))
PERCENT = _unit("percent", "%", "percent", 1)
PERMILLE = _unit("percent", "‰", "percent", Fraction(1, 10))
POINTS = _unit("points", "percentage point", "points", 1)
BASIS_POINTS = _unit("points", "basis point", "points", Fraction(1, 100))

UNITS: dict[str, Unit] = _build()


def _power(name: str, dimension: str, power: int) -> Unit:
    return _unit("quantity", name, dimension, UNITS[name].scales[0].factor ** power)


#: Units of several words: what follows the first word (a regular expression, lower case), and the unit.
_PHRASES: dict[str, tuple[tuple[str, Unit], ...]] = {
    "percentage": ((r"[ -]points?", POINTS), (r"", PERCENT)),
    "per": ((r"\scent", PERCENT), (r"\scento", PERCENT), (r"\smille", PERMILLE)),
    "pour": ((r"\scent", PERCENT),),
    "por": ((r"\s(?:ciento|cento)", PERCENT),),
    "puntos": ((r"\sporcentuales", POINTS), (r"\sb[áa]sicos", BASIS_POINTS)),
    "points": ((r"\sde\spourcentage", POINTS), (r"\sde\sbase", BASIS_POINTS)),
    "point": ((r"\sde\spourcentage", POINTS),),
    "punti": ((r"\spercentuali", POINTS), (r"\sbase", BASIS_POINTS)),
    "pontos": ((r"\spercentuais", POINTS), (r"\sbase", BASIS_POINTS)),
    "процентных": ((r"\s(?:пункт\w*)", POINTS),),
    "процентного": ((r"\s(?:пункт\w*)", POINTS),),
    "basis": ((r"\spoints?", BASIS_POINTS),),
    "degrees": ((r"\s(?:celsius|centigrade|c)", CELSIUS), (r"\s(?:fahrenheit|f)", FAHRENHEIT)),
    "degree": ((r"[ -](?:celsius|centigrade|c)", CELSIUS), (r"[ -](?:fahrenheit|f)", FAHRENHEIT)),
    "grad": ((r"\scelsius", CELSIUS), (r"\sfahrenheit", FAHRENHEIT)),
    "grados": ((r"\scelsius", CELSIUS), (r"\sfahrenheit", FAHRENHEIT)),
    "degrés": ((r"\scelsius", CELSIUS), (r"\sfahrenheit", FAHRENHEIT)),
    "gradi": ((r"\scelsius", CELSIUS),),
    "graus": ((r"\scelsius", CELSIUS),),
    "parts": ((r"\sper\smillion", UNITS["ppm"]), (r"\sper\sbillion", UNITS["ppb"])),
    "revolutions": ((r"\sper\sminute", UNITS["rpm"]),),
    "square": (
        (r"[ -](?:met(?:er|re)s?)", _power("m", "area", 2)), (r"[ -](?:feet|foot)", _power("ft", "area", 2)),
        (r"[ -]miles?", _power("mile", "area", 2)), (r"[ -]kilomet(?:er|re)s?", _power("km", "area", 2)),
        (r"[ -]inch(?:es)?", _power("inch", "area", 2)), (r"[ -]yards?", _power("yd", "area", 2)),
    ),
    "sq": (
        (r"\.?\s?ft", _power("ft", "area", 2)), (r"\.?\s?m", _power("m", "area", 2)), (r"\.?\s?km", _power("km", "area", 2)),
        (r"\.?\s?mi", _power("mile", "area", 2)),
    ),
    "cubic": (
        (r"[ -]met(?:er|re)s?", _power("m", "volume", 3)), (r"[ -](?:feet|foot)", _power("ft", "volume", 3)),
        (r"[ -]centimet(?:er|re)s?", _power("cm", "volume", 3)), (r"[ -]inch(?:es)?", _power("inch", "volume", 3)),
    ),
    "metros": ((r"\scuadrados|\squadrados", _power("m", "area", 2)), (r"\sc[úu]bicos", _power("m", "volume", 3))),
    "mètres": ((r"\scarrés", _power("m", "area", 2)), (r"\scubes", _power("m", "volume", 3))),
    "metri": ((r"\squadr(?:at)?i", _power("m", "area", 2)), (r"\scubi", _power("m", "volume", 3))),
    "miles": ((r"\sper\shour|\san\shour", UNITS["mph"]),),
    "kilometers": ((r"\sper\shour|\san\shour", UNITS["km/h"]),),
    "kilometres": ((r"\sper\shour|\san\shour", UNITS["km/h"]),),
    "meters": ((r"\sper\ssecond", UNITS["m/s"]),),
    "metres": ((r"\sper\ssecond", UNITS["m/s"]),),
    "fluid": ((r"\sounces?", _unit("quantity", "fl oz", "volume", "0.0000295735295625")),),
    "fl": ((r"\.?\soz", _unit("quantity", "fl oz", "volume", "0.0000295735295625")),),
    "metric": ((r"\ston(?:ne)?s?", UNITS["t"]),),
    "short": ((r"\stons?", _unit("quantity", "short ton", "mass", "907.18474")),),
    "nautical": ((r"\smiles?", UNITS["nmi"]),),
    "light": ((r"[ -]years?", UNITS["ly"]),),
    "kilowatt": ((r"[ -]hours?", UNITS["kWh"]),),
    "mg": ((r"\s(?:per|pro|por|par|na|на)\s(?:kg|kilo(?:gram(?:m|me|o|a)?)?|кг)", UNITS["mg/kg"]),),
    "megawatt": ((r"[ -]hours?", UNITS["MWh"]),),
    "gigawatt": ((r"[ -]hours?", UNITS["GWh"]),),
}  # fmt: skip
PHRASES = {word: tuple((re.compile(rest), unit) for rest, unit in row) for word, row in _PHRASES.items()}
for _word in ("percent", "pct", "prozent", "процент", "процента", "процентов", "процентами", "проц"):
    UNITS[_word] = PERCENT
for _word in ("%", "％", "٪"):
    UNITS[_word] = PERCENT
UNITS["‰"] = PERMILLE
for _word in ("pp", "prozentpunkt", "prozentpunkte", "prozentpunkten", "ppt", "п.п"):
    UNITS[_word] = POINTS
UNITS["bp"] = UNITS["bps"] = BASIS_POINTS
