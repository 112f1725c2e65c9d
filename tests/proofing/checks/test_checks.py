"""Confidence, faithfulness, contradiction, entities and verification, one by one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import proofing
from proofing.checks.claims import claims_of
from proofing.checks.confidence import check_confidence
from proofing.checks.verification import check_verification
from proofing.corpus import Corpus
from proofing.documents import Source
from proofing.inspection import inspect, prepare

FAST = proofing.Settings(tier="fast")


def proof(answer, sources=("Tea is free on Mondays.",), question="", **changes):
    return prepare(question, list(sources), answer, replace(FAST, **changes))


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The lamp stands in the hall near the old door.", 0.5),
        ("It will definitely open.", 1.0),
        ("It might perhaps open.", 0.0),
        ("The lamp that stands in the hall near the old door will be lit at nine in the evening.", 0.5 + 0.5 * 1 / 1.9),
    ],
)
def test_confidence_counts_markers_against_length(answer, score):
    assert check_confidence(proof(answer))["score"] == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize(
    "answer", ["The shop opens on May 5.", "In May 2021 the shop opened.", "They pressed the must of the grapes."]
)
def test_a_date_or_a_noun_is_no_marker(answer):
    found = check_confidence(proof(answer))
    assert found["hedges"] == []
    assert found["assertive"] == []


def test_a_phrase_counts_once_and_has_its_offsets():
    (found,) = check_confidence(proof("It seems that tea is free."))["hedges"]
    assert found == {"start": 0, "end": 8, "text": "It seems"}


def test_claims_are_statements_of_four_words_or_more():
    answer = "Yes. Is tea free? Tea is free on Mondays. Here is the list:"
    assert [s.text for s in claims_of(proof(answer))] == ["Tea is free on Mondays."]


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Tea is free on Mondays.", 1.0),
        ("Tea is free on Mondays. Unicorns graze behind castles.", 0.5),
        ("Yes!", 1.0),
        ("", 1.0),
    ],
)
def test_faithfulness_is_the_share_of_grounded_claims(answer, score):
    report = proofing.inspect("", ["Tea is free on Mondays."], answer, settings=FAST)
    assert report.checks["faithfulness"]["score"] == score


def test_a_claim_needs_more_of_its_words_in_the_strict_profile():
    answer = "Tea is free for sailors."
    general = proofing.inspect("", ["Tea is free on Mondays."], answer, settings=FAST)
    strict = proofing.inspect(
        "", ["Tea is free on Mondays."], answer, settings=proofing.Settings.for_profile("strict", tier="fast")
    )
    assert general.checks["faithfulness"]["claims"][0]["grounded"]
    assert not strict.checks["faithfulness"]["claims"][0]["grounded"]


def test_an_overconfident_invention_is_named_once():
    answer = "Unicorns definitely always graze behind castles. Dragons certainly never leave."
    report = proofing.inspect("", ["Tea is free on Mondays."], answer, settings=FAST)
    assert report.triggered == ("confident_but_unfaithful",)


def test_verification_is_one_for_the_source_itself_and_zero_for_strangers():
    assert check_verification(proof("Tea is free on Mondays."))["score"] == pytest.approx(1.0)
    assert check_verification(proof("Unicorns graze quietly."))["score"] == 0.0


def test_verification_takes_the_best_source_and_reports_the_mean():
    found = check_verification(proof("Tea is free.", ["Tea is free.", "Unicorns graze quietly."]))
    assert found["answer_best"] == pytest.approx(1.0)
    assert found["answer_mean"] == pytest.approx(0.5)


def test_verification_weighs_question_and_answer():
    found = check_verification(proof("Tea is free.", ["Tea is free."], question="unicorns"))
    assert found["score"] == pytest.approx(0.5)


def test_verification_agrees_with_the_formulas_by_hand():
    found = check_verification(proof("tea milk", ["tea tea", "milk"]))
    tea = milk = math.log(3 / 2) + 1
    assert found["answer_best"] == pytest.approx(tea / math.hypot(tea, milk), abs=1e-6)


def test_without_sources_there_is_no_verification_score():
    assert check_verification(proof("Tea is free.", []))["score"] is None


def test_names_inside_an_invented_sentence_still_count():
    report = proofing.inspect(
        "", ["Tea is free on Mondays."], "Oriel Vasquez keeps seven purple elephants.", settings=FAST
    )
    assert [e["text"] for e in report.checks["entities"]["absent"]] == ["Oriel Vasquez"]
    assert report.risk == "high"


def test_verification_weighs_as_the_settings_say_and_flags_below_their_threshold():
    found = check_verification(
        proof(
            "Tea is free.", ["Tea is free."], question="unicorns", verification_alpha=0.25, verification_threshold=0.3
        )
    )
    assert (found["score"], found["alpha"], found["below"]) == (pytest.approx(0.25), 0.25, True)
    same = check_verification(proof("Tea is free.", ["Tea is free."], question="", verification_threshold=0.3))
    assert (same["score"], same["below"]) == (pytest.approx(1.0), False)


def test_verification_of_retrieved_sources_weighs_words_by_the_whole_corpus():
    corpus = Corpus.of([Source("a", "Tea is free."), Source("b", "Tea is warm."), Source("c", "Rent is due.")])
    retrieval = corpus.search("", "Tea is free. Rent.", k=1)
    found = check_verification(proof("Tea is free. Rent.", retrieval.sources), retrieval)
    assert found["corpus"]["version"] == corpus.version
    assert [p["source_id"] for p in found["corpus"]["passages"]] == ["a#1"]
    # "rent" stands in the corpus and not in the passage, so it counts against the answer.
    assert found["score"] < check_verification(proof("Tea is free.", retrieval.sources), retrieval)["score"]


def test_a_score_below_the_threshold_triggers_and_changes_nothing_by_itself():
    ask = ("When is tea free?", ["Tea is free on Mondays."], "Tea is free on Mondays.")
    low = inspect(*ask, settings=replace(FAST, verification_threshold=1.0, verification_alpha=0.5))
    assert (low.triggered, low.risk) == (("verification",), "medium")
    assert not proofing.heal(low).applied
    assert inspect(*ask, settings=FAST).triggered == ()


SILENT = [
    ("The brochure lists four museums.", "I'm afraid the brochure doesn't say what the capital is."),
    ("The brochure lists four museums.", "There is no mention of a price in the brochure."),
    ("The brochure lists four museums.", "The price is not stated in the leaflet."),
    ("El folleto enumera cuatro museos.", "El folleto no menciona el precio."),
    ("Die Broschüre nennt vier Museen.", "Dazu enthält die Broschüre keine Angaben."),
    ("La brochure cite quatre musées.", "La brochure ne précise pas le prix."),
    ("L'opuscolo elenca quattro musei.", "L'opuscolo non indica il prezzo."),
    ("O folheto lista quatro museus.", "O folheto não informa o preço."),
    ("В брошюре перечислены четыре музея.", "В брошюре цена не указана."),
]


@pytest.mark.parametrize(("source", "answer"), SILENT)
def test_saying_that_a_document_does_not_tell_is_no_claim(source, answer):
    report = inspect("", [source], answer, settings=FAST)
    assert (report.risk, report.checks["faithfulness"]["total"]) == ("low", 0)


@pytest.mark.parametrize(
    "answer",
    [
        "The policy does not cover water damage from burst pipes.",
        "The guide does not give tours to strangers on Sundays.",
        "The contract is not signed by the mayor of Lindal.",
    ],
)
def test_what_a_document_or_person_does_not_do_is_a_claim(answer):
    report = inspect("", ["The brochure lists four museums."], answer, settings=FAST)
    assert report.checks["faithfulness"]["total"] == 1


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("The chapel has a slate roof.", "I can't answer that from the given material."),
        ("The chapel has a slate roof.", "We cannot tell who the builder was."),
        ("The chapel has a slate roof.", "I'm not able to answer this question."),
        ("Die Kapelle hat ein Schieferdach.", "Diese Frage kann ich leider nicht beantworten."),
        ("La capilla tiene un tejado de pizarra.", "Lo siento, no puedo responder a esa pregunta."),
        ("La chapelle a un toit en ardoise.", "Je ne peux pas répondre à cette question."),
        ("La cappella ha un tetto di ardesia.", "Mi dispiace, non posso rispondere a questa domanda."),
        ("A capela tem um telhado de ardósia.", "Não posso responder a essa pergunta."),
        ("У часовни шиферная крыша.", "Я не могу ответить на этот вопрос."),
    ],
)
def test_a_refusal_is_no_claim(source, answer):
    report = inspect("", [source], answer, settings=FAST)
    assert (report.risk, report.checks["faithfulness"]["total"]) == ("low", 0)
