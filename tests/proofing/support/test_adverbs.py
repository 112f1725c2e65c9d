"""Adverbs that say how often change places with "never" and "no longer"; the verb stays."""

from __future__ import annotations

import pytest

from proofing.pipeline import proofread_whole
from proofing.settings import Settings


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("The soup never contains nuts.", "The soup always contains nuts."),
        ("She never visited Lindal.", "She often visited Lindal."),
        ("She never visited Lindal.", "She visited Lindal."),
        ("The hatch is always locked at night.", "The hatch is never locked at night."),
        ("The kiosk no longer sells maps.", "The kiosk usually sells maps."),
    ],
)
def test_the_adverb_alone_is_put_right(source, answer):
    report = proofread_whole("", [source], answer, settings=Settings(tier="fast"))
    assert (report.risk, report.healing.strategy, report.healing.text) == ("critical", "contradiction_patch", source)
