"""Stems, languages, lexical support, names, clauses: the parts the word channels are made of."""

from __future__ import annotations

import pytest

import proofing
from proofing.engine import judge_all
from proofing.inspection import prepare
from proofing.support.clauses import clause_ranges
from proofing.support.lexical import LexicalChannel, are_cognates
from proofing.support.polarity_words import signs_of
from proofing.support.stems import stem_of
from proofing.support.words import language_of

FAST = proofing.Settings(tier="fast")


def proof(answer, *sources, question=""):
    return prepare(question, sources, answer, FAST)


@pytest.mark.parametrize(
    "forms",
    [
        "cancel cancels cancelled cancelling",
        "policy policies",
        "make makes making made",
        "use uses used using",
        "rise rises rising rose risen",
        "stop stops stopped stopping",
        "child children",
        "forbid forbidden",
        "box boxes",
        "quick quickly",
        "price prices priced pricing",
    ],
)
def test_forms_of_one_word_share_a_stem(forms):
    assert len({stem_of(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("pair", ["news new", "thing the", "red read", "hundred hunt", "bus but", "increase decrease"])
def test_other_words_do_not(pair):
    a, b = pair.split()
    assert stem_of(a) != stem_of(b)


@pytest.mark.parametrize(
    ("language", "forms"),
    [("de", "Zimmer Zimmern"), ("fr", "billets billet"), ("es", "entradas entrada"), ("pt", "pedidos pedido")],
)
def test_other_languages_lose_their_endings_too(language, forms):
    a, b = forms.casefold().split()
    assert stem_of(a, language) == stem_of(b, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the train is not here", "en"),
        ("der Zug ist nicht da", "de"),
        ("le train n est pas là", "fr"),
        ("el tren no está aquí y no llega", "es"),
        ("il treno non è qui e non parte", "it"),
        ("o trem não está aqui", "pt"),
        ("поезд не пришёл и его нет", "ru"),
        ("QX-307", "en"),
    ],
)
def test_a_language_is_known_by_its_small_words(text, language):
    assert language_of(text.casefold().split()) == language


def test_the_declared_locale_decides_before_the_words_do():
    assert language_of(["the", "train"], "de-CH") == "de"


@pytest.mark.parametrize(
    ("word", "source", "support"),
    [
        ("lamps", "The lamp is lit.", 1.0),
        ("automobile", "The car is lit.", 0.85),
        ("refundable", "The refund is lit.", 0.75),
        ("zebra", "The lamp is lit.", 0.0),
    ],
)
def test_a_word_is_backed_by_its_stem_a_synonym_or_a_cognate(word, source, support):
    read = proof(f"The {word} is lit.", source)
    scored = {j.text: j.support for j in LexicalChannel().judge(read, [])}
    assert scored[word] == support


def test_one_source_that_backs_a_word_is_enough():
    read = proof("The lamp is lit.", "Nothing of interest.", "A lamp was lit.")
    assert all(j.support == 1.0 for j in LexicalChannel().judge(read, []))


def test_a_word_only_the_question_has_is_weak_but_not_weakest():
    read = proof("Zebras eat thistles.", "A lamp was lit.", question="What do zebras eat?")
    scored = {j.text: j.support for j in LexicalChannel().judge(read, [])}
    assert 0.0 == scored["thistles"] < scored["Zebras"] < 0.5


def test_every_content_word_has_a_support_even_in_a_long_text():
    answer = " ".join(f"The lamp number{chr(97 + i % 26)}x shines." for i in range(300))
    read = proof(answer, "A lamp was lit.")
    scored = {(j.start, j.end) for j in judge_all(read).judgements}
    for token, content in zip(read.answer.tokens, read.answer.content, strict=True):
        assert not content or any(start <= token.start and token.end <= end for start, end in scored)


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("refund", "refundabl", True),
        ("atorvastatin", "rosuvastatin", False),
        ("increas", "decreas", False),
        ("international", "internal", False),
        ("cat", "car", False),
    ],
)
def test_cognates_begin_alike(a, b, alike):
    assert are_cognates(a, b) is alike


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The shop opens at ten; the bar closes at two.", 2),
        ("Pro can export reports, but Lite cannot export reports.", 2),
        ("Red, white and blue flags.", 1),
        ("The shop opens early.", 1),
    ],
)
def test_clauses_say_one_thing_each(text, parts):
    view = proof(text).answer
    ranges = clause_ranges(view, 0)
    assert len(ranges) == parts
    assert [i for part in ranges for i in part] == list(range(len(view.tokens)))


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("It isn't open.", ["isn't"]),
        ("It can't open.", ["can't"]),
        ("No more than five.", []),
        ("Number No. 4 is open.", []),
        ("A piano is not here.", ["not"]),
        ("They failed to open it.", ["failed to"]),
        ("It was banned from opening.", ["from"]),
        ("Es ist nicht offen und wird nie öffnen.", ["nicht", "nie"]),
    ],
)
def test_denials_are_words_and_not_letters(text, denials):
    view = proof(text).answer
    found = [text[view.tokens[a].start : view.tokens[b - 1].end] for a, b in sorted(signs_of(view).denials.items())]
    assert found == denials


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Solo costs 6 dollars per month. Family costs 110 dollars per year.", "en"),
        ("Solo hikers pay 3 dollars per night, groups 2 per person.", "en"),
        ("Per seat, per month: 4 dollars. Solo seats cost more.", "en"),
        ("Il biglietto costa 5 euro per persona.", "it"),
        ("Solo i soci pagano 3 euro per notte.", "it"),
        ("Das Ticket kostet 12,50 Euro pro Person.", "de"),
        ("Die Hand war kalt.", "de"),
        ("La entrada cuesta 7 euros para adultos.", "es"),
        ("Le menu est pour deux.", "fr"),
    ],
)
def test_the_language_of_a_short_text_is_told_by_all_its_words(text, language):
    assert language_of(text.casefold().replace(".", "").replace(",", "").split()) == language
