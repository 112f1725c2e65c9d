"""Which support model reads a project's answers: who may choose, what is never used, and what pages say of it."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import NOW, OUTSIDERS, line_of, person
from webapp.calibration import reading_models, services
from webapp.calibration.models import FittedModel, ModelChoice, Refit


def test_a_stored_model_that_is_not_what_was_fitted_is_never_used(project, stored, lead, proofread):
    model = stored(sha256="a" * 64)
    reading_models.put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    with pytest.raises(services.BadInput, match="not what was stored"):
        reading_models.loaded(model)


def test_a_model_of_another_version_of_the_engine_gives_way_to_the_one_that_ships(
    project, stored, lead, proofread, client_of
):
    model = stored()
    reading_models.put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    assert proofread(line_of("You have 1 day.")).report["engine"]["support_model"] == model.reported
    FittedModel.objects.update(columns_sha256="b" * 64)
    assert proofread(line_of("You have 2 days.")).report["engine"]["support_model"] == reading_models.shipped_name()
    assert "fitted for another version of the engine" in client_of(lead).get("/models/").text
    page = client_of(lead)
    page.post("/models/shipped/", {"project": "shop", "reason": "upgrade"})
    page.post(f"/models/{model.pk}/use/", {"reason": "again"})
    assert reading_models.chosen_model(project) is None


def test_the_guard_before_delivery_reads_with_the_model_in_force(project, stored, lead, api):
    model = stored()
    reading_models.put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    body = {"question": "", "answer": "You have 1 day.", "sources": ["You have 14 days."]}
    assert api.post("proofread", body).json()["engine"]["support_model"] == model.reported


def test_choosing_what_is_chosen_already_changes_nothing(project, stored, lead):
    model = stored()
    put = {"project": project, "user": lead, "now": NOW}
    assert reading_models.put_in_force(model=None, reason="as it is", **put) is None
    assert reading_models.put_in_force(model=model, reason="x", **put)
    assert reading_models.put_in_force(model=model, reason="y", **put) is None
    assert ModelChoice.objects.count() == 1


def test_models_and_refits_of_another_project_are_none_of_ours(project, other_project, stored, lead, client_of):
    theirs = stored(of=other_project)
    page = client_of(lead)
    assert page.post(f"/models/{theirs.pk}/use/", {"reason": "mine now"}).status_code == 404
    assert page.post("/models/", {"labelled_set": theirs.refit.labelled_set_id, "project": "shop"}).status_code == 422
    assert not ModelChoice.objects.exists()
    with pytest.raises(services.BadInput):
        reading_models.put_in_force(project=project, model=theirs, reason="x", user=lead, now=NOW)


@pytest.mark.parametrize("outsider", [*OUTSIDERS, "reviewer"])
def test_models_are_closed_to(outsider, outsiders, reviewer, project, stored, client_of):
    model = stored()
    page = client_of({**outsiders, "reviewer": reviewer}[outsider])
    closed = {302, 403, 404}
    for address in ("/models/?project=shop", f"/refits/{model.refit_id}/", f"/models/{model.pk}/file/"):
        assert page.get(address).status_code in closed
    for address in ("/models/shipped/", f"/models/{model.pk}/use/", f"/refits/{model.refit_id}/cancel/"):
        assert page.post(address, {"reason": "mine", "project": "shop"}).status_code in closed
    assert page.post("/models/", {"labelled_set": model.refit.labelled_set_id, "project": "shop"}).status_code in closed
    assert not ModelChoice.objects.exists()
    assert Refit.objects.count() == 1


def test_the_models_page_takes_few_queries_however_many_there_are(
    project, stored, lead, client_of, django_assert_max_num_queries
):
    for version in range(1, 6):
        model = stored(version=version)
    reading_models.put_in_force(project=project, model=model, reason="x", user=lead, now=NOW)
    page = client_of(lead)
    page.get("/models/")
    with django_assert_max_num_queries(16):
        assert "shop-5" in page.get("/models/").text


def test_a_lead_of_two_projects_sees_each_ones_own(project, other_project, stored, client_of):
    both = person("both", project, "lead")
    from webapp.accounts.models import Membership

    Membership.objects.create(project=other_project, user=both, role="lead")
    stored()
    page = client_of(both)
    assert "shop-1" in page.get("/models/?project=shop").text
    assert "shop-1" not in page.get("/models/?project=bank").text
