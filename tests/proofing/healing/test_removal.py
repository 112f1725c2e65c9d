"""What no source backs goes: a clause where the rest stands, else the sentence, and the text says so."""

from __future__ import annotations

import pytest

from proofing.healing.edits import apply_edits
from proofing.healing.phrases import is_own_phrase, removal_note, without_own_phrases
from proofing.healing.removal import note_for, removal_of, with_removals

from .conftest import mark


def without(proof_of, answer: str, text: str, *, whole: bool = False) -> str:
    proof = proof_of(answer, "A source.")
    bad = mark(answer, "A source.", (text, None, ()), reason="absent", kind="name")
    sentence = proof.answer.sentence_at(bad.start)
    removal = removal_of(proof.answer, sentence, {} if whole else {0: bad})
    edits = with_removals(proof, (), [removal], [0.9])
    return apply_edits(answer, edits)


@pytest.mark.parametrize(
    ("answer", "text", "left"),
    [
        ("It opened in May. Ada Crane built it.", "Ada Crane", "It opened in May."),
        ("Ada Crane built it. It opened in May.", "Ada Crane", "It opened in May."),
        ("It opened. Ada Crane built it. It is red.", "Ada Crane", "It opened. It is red."),
        ("- It is red\n- Ada Crane built it\n- It is tall", "Ada Crane", "- It is red\n- It is tall"),
        ("- It is red\n- Ada Crane built it", "Ada Crane", "- It is red"),
        ("The pier was opened in May, and Ada Crane built it.", "Ada Crane", "The pier was opened in May."),
        ("The pier was opened in May; Ada Crane built it.", "Ada Crane", "The pier was opened in May."),
        ("The pier was opened in May (by Ada Crane).", "Ada Crane", "The pier was opened in May."),
        ("The pier was opened in May, which Ada Crane built, and it is red.", "Ada Crane",
         "The pier was opened in May, and it is red."),
        ("It opened, and Ada Crane built it. It is red.", "Ada Crane", "It is red."),
        ("Dr. Ada Crane built it with Mr. Lund. It is red.", "Ada Crane", "It is red."),
        ("It is red.\n\nAda Crane built it.\n\nIt is tall.", "Ada Crane", "It is red.\n\nIt is tall."),
        ("Ada Crane built it.\n\nIt is tall.", "Ada Crane", "It is tall."),
        ("It is red.\n\nAda Crane built it.", "Ada Crane", "It is red."),
        ("It is red.\r\n\r\nAda Crane built it.\r\n\r\nIt is tall.", "Ada Crane", "It is red.\r\n\r\nIt is tall."),
        ("It is red.\n\n- Ada Crane built it\n- It is tall", "Ada Crane", "It is red.\n\n- It is tall"),
        ('The song "Hush, Hush, and Ada Crane" is old. It is sung.', "Ada Crane", "It is sung."),
        ("The song “Hush, Hush, and Ada Crane” is old. It is sung.", "Ada Crane", "It is sung."),
        ("The hall (red, tall, new, and Ada Crane built it) is open. It is big.", "Ada Crane", "It is big."),
        ("If you ask at the desk, and Ada Crane is in, they help. It is red.", "Ada Crane", "It is red."),
        ("If you ask at the desk; Ada Crane helps. It is red.", "Ada Crane", "It is red."),
        ("When the hall is full, with Ada Crane outside. It is red.", "Ada Crane", "It is red."),
        ("If it rains, the hall is open, and Ada Crane leads. It is red.", "Ada Crane",
         "If it rains, the hall is open. It is red."),
        ('The song "Hush, Hush" is old, and Ada Crane wrote it. It is sung.', "Ada Crane",
         'The song "Hush, Hush" is old. It is sung.'),
    ],
)  # fmt: skip
def test_removal(proof_of, answer, text, left):
    assert without(proof_of, answer, text) == left


def test_the_note_follows_and_is_no_claim(proof_of):
    answer = "It opened in May. Ada Crane built it. Bo Lund paid."
    proof = proof_of(answer, "A source.")
    removals = [removal_of(proof.answer, sentence, {}) for sentence in proof.answer.sentences[1:]]
    edits = with_removals(proof, (), removals, [0.9, 0.8])
    note = note_for(proof.answer, edits)
    healed = apply_edits(answer, [*edits, note])
    assert healed == f"It opened in May. {removal_note('en', 2)}"
    assert is_own_phrase(removal_note("en", 2))
    assert without_own_phrases(healed) == "It opened in May."


def test_the_note_speaks_the_answer_s_language(proof_of):
    proof = proof_of("La barca está en el muelle. Ana Ruiz la construyó con las manos.", "A source.")
    removal = removal_of(proof.answer, proof.answer.sentences[1], {})
    note = note_for(proof.answer, with_removals(proof, (), [removal], [0.9]))
    assert note.new.strip() == removal_note("es", 1)
