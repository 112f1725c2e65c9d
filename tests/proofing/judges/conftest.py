"""A loopback server for each test, and short ways to a judge and a case."""

from __future__ import annotations

import pytest

from proofing.documents import Source
from proofing.judges import Case, Judge
from tests.proofing.judges.loopback import Loopback

SOURCE = "Unused goods may be returned within 14 days of delivery. Refunds take 5 days."


def case_of(answer: str = "You may return goods within 41 days.", source: str = SOURCE, **more) -> Case:
    return Case(answer, (Source("policy", source),), question="How long may I keep it?", **more)


@pytest.fixture
def loopback():
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def judge(loopback):
    """A judge of the loopback server whose model is its name; it is quick to give up."""

    def make(name: str, **fields) -> Judge:
        settings = {"timeout_s": 20.0, "retries": 2, "longest_wait_s": 5.0, **fields}
        return Judge(
            name=name,
            base_url=loopback.url,
            model=fields.pop("model", name),
            **{k: v for k, v in settings.items() if k != "model"},
        )

    return make
