"""A grounding rewrite quotes what answers the question, and nothing that only shares its subject."""

from __future__ import annotations

import pytest

from proofing.documents import Source
from proofing.healing.rewriting import rewrite
from proofing.settings import Settings
from proofing.support.reading import read

SOURCE = (
    "The varnish was tested for fumes in a closed room. Aprons are recommended while the varnish dries. "
    "The varnish comes in four colours. A tin of varnish holds two litres."
)


def test_sentences_that_only_name_the_subject_again_are_not_quoted():
    found = rewrite(read("Was the varnish tested for fumes?", _sources(), "It was blessed by monks.", Settings()))
    assert found is not None
    assert found.body == "The varnish was tested for fumes in a closed room."


def test_each_part_of_a_question_keeps_its_sentence():
    found = rewrite(read("Was the varnish tested, and in how many colours is it sold?", _sources(), "No.", Settings()))
    assert found is not None
    assert "tested for fumes" in found.body
    assert "four colours" in found.body
    assert "Aprons" not in found.body


@pytest.mark.parametrize(
    ("source", "question", "body"),
    [
        ("The café lies in the park. It has 40 seats. Dogs are welcome.", "How many seats?",
         "The café lies in the park. It has 40 seats."),
        ("Ada Crane was born in Rye. She studied glass. Her workshop employed nine people.",
         "Who did the workshop employ?",
         "Ada Crane was born in Rye. She studied glass. Her workshop employed nine people."),
        ("Das Café liegt im Park und gehört der Stadt. Es hat 40 Sitzplätze. Hunde sind dort willkommen.",
         "Wie viele Sitzplätze gibt es?",
         "Das Café liegt im Park und gehört der Stadt. Es hat 40 Sitzplätze."),
        ("La torre è del 1500. Il museo ha 40 sale.", "Quante sale ha il museo?", "Il museo ha 40 sale."),
        ("The mill is old. The café has 40 seats.", "How many seats?", "The café has 40 seats."),
    ],
)  # fmt: skip
def test_a_sentence_that_starts_with_a_pronoun_brings_along_what_it_means(source, question, body):
    found = rewrite(read(question, [Source("s1", source)], "Parrots guard it.", Settings()))
    assert found is not None
    assert found.body == body


def _sources():
    return [Source("s1", SOURCE)]
