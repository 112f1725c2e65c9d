"""Runs of characters without a space: brackets, minified JSON. They cost time in proportion to their length."""

from __future__ import annotations

from functools import partial

import pytest

import proofing
from proofing.support.finders import RUN, ModelFinder
from proofing.support.reading import read
from tests.work import steps, within

MINIFIED = '{"rows":[' + ",".join(f'{{"n":{i},"guide":"Kowalczyk"}}' for i in range(40)) + "]}"


class Model:
    """Stands for spaCy: finds the places of one name and remembers what it was given to read."""

    lang = "en"
    version = "1"

    def __init__(self):
        self.given = []

    def entities(self, text):
        self.given.append(text)
        place = text.find("Kowalczyk")
        return [(place, place + 9, "PERSON")] if place >= 0 else []


def names_in(text):
    model = Model()
    proof = read("", (), text, proofing.Settings(tier="fast"))
    names = ModelFinder(model, "stand-in").names_in(proof)
    return model.given, [proof.answer.text[proof.answer.tokens[n.first].start :][:9] for n in names]


@pytest.mark.parametrize("unit", ["(", "1,", "a", "A", "$", "%", "'", '"', "[{", "/a", "Aa-", "é", "$1", "http://a.b/"])
@pytest.mark.parametrize("around", ["", "The guide was here. {} The end."])
def test_the_model_never_reads_a_long_run_at_once(unit, around):
    run = (unit * 3000)[:3000]
    given, _ = names_in(around.format(run) if around else run)
    assert all(len(word) <= RUN for text in given for word in text.split())


def test_names_around_a_long_run_are_found_and_those_inside_it_are_read_whole():
    prose = "We met Kowalczyk in the hall, and it was the first day of all that was to come for us. " * 8
    given, found = names_in(f"{prose}{MINIFIED} {prose}")
    assert set(found) == {"Kowalczyk"}
    assert len(found) >= 2
    assert sum(text.count("Kowalczyk") for text in given) == 40 + 16
    assert given[0] == prose


def test_text_without_long_runs_is_read_as_one():
    text = "We met Kowalczyk in the hall. " * 20
    assert names_in(text)[0] == [text]


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize("unit", ["(", "1,", "A", "$", "%", "'", "[", '"', "Aa", "1.", "a@b.", "$1"])
def test_a_long_run_takes_work_in_proportion(unit, tier):
    settings = proofing.Settings(tier=tier)
    proofing.proofread("It is so.", ["It is so."], settings=settings)
    spent = []
    for size in (2500, 10000):
        with within():
            run = (unit * size)[:size]
            spent.append(steps(partial(proofing.inspect, "", ["It is so."], run, settings=settings)))
    assert spent[1] < 8 * spent[0] + 20_000  # four times the length; a square would be sixteen times
