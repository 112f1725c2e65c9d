"""Counts over answer and sources: what backs a word, what a record says, and that nothing depends on chance."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from proofing.documents import Source
from proofing.learning.features import (
    ANSWER_NAMES,
    SENTENCE_NAMES,
    TOKEN_NAMES,
    answer_features,
    sheet_of,
    token_features,
)
from proofing.learning.pieces import EMPTY, NO, YES, Pieces, key_words
from proofing.settings import Settings
from proofing.support.base import Judgement
from proofing.support.reading import read

RECORD = "{'name': 'Quay', 'attributes': {'RestaurantsTakeOut': True, 'OutdoorSeating': False, 'WiFi': None}}"


def sheet(answer, *sources, question="", judgements=()):
    proof = read(question, [Source(f"s{n}", text) for n, text in enumerate(sources)], answer, Settings())
    return sheet_of(proof, judgements)


def sentence(answer, *sources, **options):
    rows = sheet(answer, *sources, **options).sentences
    return dict(zip(SENTENCE_NAMES, rows[0], strict=True))


def test_rows_are_as_wide_as_their_names():
    found = sheet("The lake froze in 1931. Nobody swam!", "The lake froze in 1929.")
    assert {len(row) for row in found.rows} == {len(TOKEN_NAMES)}
    assert {len(row) for row in found.sentences} == {len(SENTENCE_NAMES)}
    assert len(found.answer) == len(ANSWER_NAMES)
    assert len(set(TOKEN_NAMES)) == len(TOKEN_NAMES)
    assert len(set(SENTENCE_NAMES)) == len(SENTENCE_NAMES)


def test_words_of_the_source_cover_and_invented_ones_do_not():
    copied = sentence("The lake froze early.", "The lake froze early. Boats stayed.")
    invented = sentence("Dragons guard the harbour.", "The lake froze early. Boats stayed.")
    assert copied["covered"] == 1.0
    assert copied["new_words"] == 0
    assert invented["covered_any"] == 0.0
    assert invented["new_words"] == 3


def test_words_that_never_stand_together_are_seen():
    together = sentence("Boats rust.", "Boats rust quickly. Lakes freeze.")
    joined = sentence("Boats freeze.", "Boats rust quickly. Lakes freeze.")
    assert together["pairs_beside"] == 1.0
    assert joined["pairs_beside"] == 0.0


@pytest.mark.parametrize(
    ("answer", "column"),
    [
        ("It offers takeout.", "yes_plain"),
        ("It does not offer take out.", "yes_negated"),
        ("There is outdoor seating.", "no_plain"),
        ("There is no outdoor seating.", "no_negated"),
        ("It has Wi-Fi.", "empty_plain"),
        ("It has no WiFi.", "empty_negated"),
    ],
)
def test_a_field_that_is_named_counts_by_what_it_says(answer, column):
    found = sentence(answer, RECORD)
    named = {name: found[name] for name in found if name.endswith(("_plain", "_negated"))}
    assert named[column] >= 1
    assert sum(named.values()) == named[column]


def test_keys_are_taken_apart():
    assert key_words("RestaurantsGoodForGroups") == ("groups",)
    assert key_words("is") == ("is",)
    proof = read("", [Source("s", RECORD)], "x", Settings())
    states = {piece.joined: piece.state for piece in Pieces(proof).all if piece.keys}
    assert (states["takeout"], states["outdoorseating"], states["wifi"]) == (YES, NO, EMPTY)


def test_what_channels_object_to_reaches_word_sentence_and_answer():
    answer = "It opened in 1931."
    judgement = Judgement(13, 17, "1931", "number", 0.0, reason="contradicted")
    found = sheet(answer, "It opened in 1929.", judgements=[judgement])
    objected = [row[TOKEN_NAMES.index("value_objected")] for row in found.rows]
    assert objected[-1] == 1.0
    assert sum(objected) == 1.0
    assert found.sentences[0][SENTENCE_NAMES.index("values_contradicted")] == 1
    assert found.answer[ANSWER_NAMES.index("values_objected")] == 1


@pytest.mark.parametrize("answer", ["", "   ", "!!!", "…\n\n…"])
def test_an_answer_without_words_has_no_rows(answer):
    found = sheet(answer, "Anything.")
    assert found.rows == []
    assert found.sentences == []


def test_no_sources_leave_everything_uncovered():
    assert answer_features(read("", [], "The lake froze.", Settings()), ())["answer_covered"] == 0.0
    assert token_features(read("", [], "The lake froze.", Settings()), ())


def test_counts_do_not_depend_on_the_hash_seed():
    script = (
        "import json; from proofing.documents import Source; from proofing.settings import Settings; "
        "from proofing.support.reading import read; from proofing.learning.features import sheet_of; "
        "p = read('Who?', [Source('a', 'Ann and Bo met in May. Cy left early; Di stayed on with Ed and Flo.')], "
        "'Ann, Bo and Cy met Di in May with Flo. Ed did not stay.', Settings()); s = sheet_of(p, ()); "
        "print(json.dumps([s.rows, s.sentences, s.answer, s.words]))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=Path(__file__).parents[3],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("0", "1", "2")
    }  # fmt: skip
    assert len(outputs) == 1
    assert json.loads(outputs.pop())[0]
