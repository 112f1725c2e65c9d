"""Two things in each other's places: every word is the source's, and the statement is not."""

from __future__ import annotations

import pytest

import proofing
from proofing.settings import Settings

CROSSED = [
    # who does it to whom
    ("Acorn Ltd acquired Bramble plc.", "Bramble plc acquired Acorn Ltd.", "Bramble plc"),
    ("Acorn Ltd acquired Bramble plc.", "Acorn Ltd was acquired by Bramble plc.", "Acorn Ltd"),
    ("Bramble plc was acquired by Acorn Ltd.", "Bramble plc acquired Acorn Ltd.", "Bramble plc"),
    ("The editor praised the printer.", "The printer praised the editor.", "printer"),
    ("Norway beat Ghana in the final.", "Ghana beat Norway in the final.", "Ghana"),
    # what is more, what comes first
    ("The north tower is taller than the south tower.", "The south tower is taller than the north tower.", "taller"),
    ("The north tower is taller than the south tower.", "The north tower is shorter than the south tower.", "shorter"),
    ("Copper is cheaper than silver here.", "Copper is more expensive than silver here.", "expensive"),
    ("Apply the primer before the paint.", "Apply the paint before the primer.", "paint before"),
    # from where to where
    ("The novel was translated from Finnish into Dutch.", "The novel was translated from Dutch into Finnish.", "Dutch"),
    ("Die Fabrik zog von Graz nach Linz.", "Die Fabrik zog von Linz nach Graz.", "Linz"),
    ("L'usine a déménagé de Lille à Nantes.", "L'usine a déménagé de Nantes à Lille.", "Nantes"),
    ("La fábrica se trasladó de Burgos a León.", "La fábrica se trasladó de León a Burgos.", "León"),
    ("La fabbrica si è trasferita da Parma a Lecce.", "La fabbrica si è trasferita da Lecce a Parma.", "Lecce"),
    ("Завод переехал из Твери в Тулу.", "Завод переехал из Тулы в Тверь.", "Тулы"),
    # who holds which post
    ("Tomas Berg is the chairman, and Eva Holt is the treasurer.", "The treasurer is Tomas Berg.", "Tomas Berg"),
]

STRAIGHT = [
    ("Acorn Ltd acquired Bramble plc.", "Bramble plc was acquired by Acorn Ltd."),
    ("Bramble plc was acquired by Acorn Ltd.", "Acorn Ltd acquired Bramble plc."),
    ("Acorn Ltd sued Bramble plc over the patent.", "Bramble plc was sued by Acorn Ltd over the patent."),
    ("The union accused the ministry of delay.", "The ministry was accused of delay by the union."),
    ("The editor met the printer.", "The printer met the editor."),
    ("Maria married Tom in 1990.", "Tom married Maria in 1990."),
    ("The company bought the brewery in 2011.", "In 2011 the company bought the brewery."),
    ("After the storm the river flooded the town.", "The river flooded the town after the storm."),
    ("The north tower is taller than the south tower.", "The south tower is shorter than the north tower."),
    ("Copper is cheaper than silver here.", "Silver is more expensive than copper here."),
    ("Copper is cheaper than silver here.", "Silver is less expensive than copper here."),
    ("Apply the primer before the paint.", "Apply the paint after the primer."),
    ("The second edition appeared before the third.", "The third edition appeared after the second."),
    ("The factory moved from Graz to Linz.", "The factory moved to Linz from Graz."),
    ("Buses run from Graz to Linz and back from Linz to Graz.", "Buses run from Linz to Graz."),
    ("The dog chased the cat and the cat scratched the dog.", "The cat scratched the dog."),
    ("Norway beat Ghana in the final.", "Ghana lost to Norway in the final."),
    ("Tomas Berg is the chairman, and Eva Holt is the treasurer.", "The treasurer is Eva Holt."),
    ("The treasurer is Eva Holt and the chairman is Tomas Berg.", "The treasurer is Eva Holt."),
]


def marks(source: str, answer: str) -> list[str]:
    finding = proofing.proofread(answer, [source], settings=Settings(tier="fast"))
    return [mark.text for mark in finding.marks]


@pytest.mark.parametrize(("source", "answer", "wrong"), CROSSED)
def test_two_things_in_each_other_s_places_are_marked(source, answer, wrong):
    found = marks(source, answer)
    assert len(found) == 1, found
    assert wrong in found[0] or found[0] in wrong


@pytest.mark.parametrize(("source", "answer"), STRAIGHT)
def test_the_same_in_another_order_is_not_marked(source, answer):
    assert marks(source, answer) == []
