"""The table of value types in docs/engine.md says what is so."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from proofing.values import find_values, same

PAGE = Path(__file__).parents[3] / "docs" / "engine.md"


def pairs(column: int, sign: str) -> list[tuple[str, str]]:
    """Pairs of texts of one column of the table, parted by "=" or "≠" and, between groups, by ";"."""
    found = []
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 4 and re.search(r"`\w+\.py`", cells[1]):
            for group in cells[column].split(";"):
                found += combinations([part.strip() for part in group.split(f" {sign} ")], 2)
    return found


@pytest.mark.parametrize(("one", "other"), pairs(2, "="))
def test_what_the_page_calls_equal_is(one, other):
    assert same(find_values(one)[0], find_values(other)[0])


@pytest.mark.parametrize(("one", "other"), pairs(3, "≠"))
def test_what_the_page_calls_unequal_is(one, other):
    assert not same(find_values(one)[0], find_values(other)[0])


def test_the_table_was_found():
    assert len(pairs(2, "=")) > 50
    assert len(pairs(3, "≠")) > 15
