"""What the engine says beside a mark, in the reader's language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

import proofing
from webapp.review.notes import in_words, read

DEMO = Path(settings.BASE_DIR) / "webapp" / "demo" / "answers.jsonl"
SPANISH = [
    ("the source says 14 days", "la fuente dice 14 days"),
    ("the source says 14 days, with no word on business days", "la fuente dice 14 days, sin hablar de días hábiles"),
    (
        "the source has 5 as a number, not as a percent",
        "la fuente da 5 como número, no como porcentaje",
    ),
    ("the source has no hours for Monday, Tuesday", "la fuente no da ningún horario para: lunes, martes"),
    (
        "in the source this belongs to Friday; on Monday the source says 9-12",
        "en la fuente esto corresponde a: viernes; para lunes la fuente dice 9-12",
    ),
    ("percent change of source values", "variación porcentual de valores de las fuentes"),
    ("about: within 2 % of 998", "aproximado: a menos de 2 % de 998"),
    ("a sentence that nobody wrote", "a sentence that nobody wrote"),
]


@pytest.mark.parametrize(("english", "spanish"), SPANISH)
def test_notes_are_put_into_the_readers_language(english, spanish):
    with override("es"):
        assert in_words(english) == spanish
    with override("en"):
        assert in_words(english) == english


def test_every_note_on_the_demo_is_known():
    profile = proofing.Settings.for_profile("general", tier="fast")
    said = set()
    for line in DEMO.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        report = proofing.inspect(row["question"], row["sources"], row["answer"], settings=profile).to_dict()
        said |= {mark["receipt"].get("note") for mark in report["marks"]}
        said |= {note["note"] for note in report["notes"]}
    assert len(said) > 10
    plain = {note for note in said if note and " = " not in note}  # "600 mg = 0.6 g" needs no words
    assert sorted(note for note in plain if read(note) is None) == []
