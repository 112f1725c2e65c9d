"""The examples in the docstrings of the grammars are true, and the month table is CLDR's."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import proofing.values
from proofing import documents, records, sentences, structure

MODULES = ["proofing.values." + m.name for m in pkgutil.iter_modules(proofing.values.__path__)] + [
    m.__name__ for m in (documents, records, sentences, structure)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_months_are_those_of_cldr():
    from babel import Locale

    from proofing.values.calendar_words import MONTHS

    for language in ("en", "es", "de", "fr", "it", "pt", "ru"):
        names = Locale(language).months["format"]
        for width in ("wide", "abbreviated"):
            for number, name in names[width].items():
                assert MONTHS[name.lower().rstrip(".")] == number, (language, name)
