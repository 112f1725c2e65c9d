"""No regular expression of ours takes more than linear time on hostile text, wherever in the project it stands.

The work is done by `bench/regexes.py`: it finds the expressions and the texts, and judges by how processor time grows
when a text doubles, the least of three runs each, so that a busy machine changes nothing.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def _checker():
    spec = importlib.util.spec_from_file_location("regexes", ROOT / "bench" / "regexes.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


regexes = _checker()
#: Shares of the whole, so that several processes have something to do.
SHARES = 6


@pytest.fixture(scope="module")
def found():
    return sorted((pattern, flags, sorted(places)) for (pattern, flags), places in regexes.patterns().items())


def test_the_expressions_of_the_project_are_found(found):
    places = {place for _, _, names in found for place in names}
    assert {
        "proofing.documents",
        "proofing.sentences",
        "proofing.healing.agreement",
        "webapp.records.rendering",
    } <= places
    assert len(found) > 200


@pytest.mark.parametrize("share", range(SHARES))
def test_each_takes_time_in_proportion_to_its_text(share, found):
    bad = {
        f"{names[0]}: {pattern!r:.120}": slow
        for pattern, flags, names in found[share::SHARES]
        if (slow := regexes.grows(pattern, flags)) is not None
    }
    assert not bad


@pytest.mark.parametrize(
    "pattern",
    [r"(?:a+)+b", r"[\d.,]*\d$", r"\s+x", r"(?:^|\n)[\s*]*A$"],
    ids=["exponential", "square by backtracking", "square by starting anew", "square by lines"],
)
def test_what_grows_is_seen(pattern):
    assert regexes.grows(pattern, 0) is not None


def test_an_expression_that_is_only_matched_at_a_place_may_start_with_a_repeat():
    pattern = re.compile(r"\s+x-only-of-this-test")
    regexes.ANCHORED.add(pattern.pattern)
    try:
        assert regexes.grows(pattern.pattern, pattern.flags) is None
    finally:
        regexes.ANCHORED.discard(pattern.pattern)
