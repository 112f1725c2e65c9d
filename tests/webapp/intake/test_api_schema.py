"""The API is what its committed description says: seeded requests of every kind, by schemathesis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import schemathesis
from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, seed
from hypothesis import settings as drawing
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

#: What no schema can say is refused with 422: a queue that is not there, a host that means nothing, a place in no list.
#: And a request of several answers is taken, with a problem in the place of each that cannot be used.
REFUSALS = [positive_data_acceptance, negative_data_rejection]
DESCRIBED = json.loads((Path(settings.BASE_DIR) / "docs" / "openapi.json").read_text(encoding="utf-8"))
schema = schemathesis.openapi.from_dict(DESCRIBED)
schema.app = get_wsgi_application()


@pytest.fixture
def _connection_kept():
    """The end of a request closes the connection, which here is the test's own; Django's test client does the same."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@seed(20)
@drawing(
    max_examples=4,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.usefixtures("_connection_kept")
def test_the_api_answers_as_it_is_described(case, token):
    case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, excluded_checks=REFUSALS)
