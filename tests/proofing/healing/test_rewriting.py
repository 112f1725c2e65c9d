"""A grounding rewrite quotes what answers the question, and nothing that only shares its subject."""

from __future__ import annotations

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


def _sources():
    from proofing.documents import Source

    return [Source("s1", SOURCE)]
