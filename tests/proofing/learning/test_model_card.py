"""docs/model-card.md says what the shipped model file says."""

from pathlib import Path

from bench.model_card import page, shipped

CARD = Path(__file__).parents[3] / "docs" / "model-card.md"


def test_the_page_is_the_card_of_the_model_that_ships():
    assert CARD.read_text("utf-8") == page(shipped())


def test_the_card_names_data_licences_date_and_limits():
    card = shipped()["card"]
    assert card["date"]
    assert set(card["data"]) >= {"ragtruth_train", "medhallu_a", "truthfulqa_a", "nli_mnli", "nli_snli"}
    assert all("," in text for text in card["data"].values())
    assert len(card["limits"]) >= 5
    assert card["figures"]["ragtruth_train"]["auroc"]["interval"]
