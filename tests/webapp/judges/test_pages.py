"""The pages of a lead, and the layer on the desk that a reviewer sees."""

from __future__ import annotations

import pytest
from django.test import override_settings
from django.urls import reverse

from tests.webapp.judges.conftest import run
from tests.webapp.review.builders import NOW, Fault, make_item
from webapp.judges import audit, selectors, services
from webapp.judges.models import Doubt, JudgeRun, JudgeSettings, JudgeVote
from webapp.review.models import Decision, Gold

pytestmark = pytest.mark.django_db


def page(client, name, project, **query):
    response = client.get(reverse(f"judges:{name}"), {"project": project.slug, **query})
    assert response.status_code == 200
    return response.content.decode()


# Settings ---------------------------------------------------------------------------------------------------------


def test_without_judges_on_the_site_the_page_says_so(project, lead, client_of):
    html = page(client_of(lead), "settings", project)
    assert "This site has no judges" in html
    assert '<form method="post" class="form">' not in html


def test_the_page_says_what_leaves_the_machine_and_where_it_goes(project, lead, client_of, judges_file, loopback):
    with override_settings(JUDGES_FILE=judges_file("one", "two")):
        html = page(client_of(lead), "settings", project)
    assert "is sent the question, all sources and the answer, in full" in html
    assert f"{loopback.url[7:-3]}, on this machine: texts do not leave it" in html


def test_a_lead_switches_judges_on_with_a_yes_and_not_without(site, project, lead, client_of):
    client = client_of(lead)
    form = {"project": project.slug, "enabled": "on", "names": ["one"], "threshold": "majority", "least_votes": "1"}
    refused = client.post(reverse("judges:settings"), form)
    assert refused.status_code == 422
    assert "Say that you agree" in refused.content.decode()
    assert not JudgeSettings.objects.filter(enabled=True).exists()
    assert client.post(reverse("judges:settings"), {**form, "agreed": "on"}).status_code == 302
    found = JudgeSettings.objects.get()
    assert (found.enabled, list(found.agreed), found.agreed_by) == (True, ["one"], lead)
    html = page(client, "settings", project)
    assert "Agreed by lead" in html
    assert "Try the judges" in html


@pytest.mark.parametrize("change", [{"names": ["three"]}, {"threshold": "x"}, {"least_votes": "0"}, {"names": []}])
def test_what_cannot_be_is_refused_beside_its_field(site, project, lead, client_of, change):
    form = {"project": project.slug, "enabled": "on", "names": ["one"], "threshold": "majority", "least_votes": "1"}
    response = client_of(lead).post(reverse("judges:settings"), {**form, "agreed": "on", **change})
    assert response.status_code == 422
    assert not JudgeSettings.objects.filter(enabled=True).exists()


def test_an_address_typed_into_the_form_goes_nowhere(site, project, lead, client_of):
    form = {"project": project.slug, "enabled": "on", "names": ["http://169.254.169.254/v1"], "agreed": "on"}
    response = client_of(lead).post(reverse("judges:settings"), {**form, "base_url": "http://169.254.169.254/v1"})
    assert response.status_code == 422


def test_a_broken_file_is_an_error_on_the_page_and_no_crash(project, lead, client_of, tmp_path):
    (tmp_path / "broken.toml").write_text("[[judge]")
    with override_settings(JUDGES_FILE=str(tmp_path / "broken.toml")):
        assert "cannot be read" in page(client_of(lead), "settings", project)
        assert page(client_of(lead), "audit", project)


# Rounds -----------------------------------------------------------------------------------------------------------


def test_a_round_is_begun_shown_and_called_off(switched_on, project, lead, wrong, client_of):
    client = client_of(lead)
    begun = client.post(reverse("judges:begin"), {"project": project.slug, "kind": "answers"})
    found = JudgeRun.objects.get()
    assert begun["Location"] == reverse("judges:round", args=[found.pk])
    html = client.get(begun["Location"]).content.decode()
    assert 'hx-trigger="every 2s"' in html
    client.post(reverse("judges:cancel", args=[found.pk]))
    found.refresh_from_db()
    assert found.state == "cancelled"
    assert "every 2s" not in client.get(begun["Location"], headers={"HX-Request": "true"}).content.decode()


def test_a_finished_round_of_trying_shows_figures_agreement_and_advice(switched_on, project, lead, client_of):
    found = run(project, kind="sanity")
    html = client_of(lead).get(reverse("judges:round", args=[found.pk])).content.decode()
    assert "Drop one: it calls nearly every answer supported." in html
    assert "Agreement beyond chance" in html
    assert "56 built-in answers" in html
    lead.language = "es"
    lead.save()
    html = client_of(lead).get(reverse("judges:round", args=[found.pk])).content.decode()
    assert "Quita a one: dice que casi todas las respuestas tienen respaldo." in html
    assert "papeles cambiados" in html


def test_the_month_is_shown_per_judge(switched_on, project, lead, wrong, client_of):
    run(project)
    html = page(client_of(lead), "settings", project)
    assert "What judges did this month" in html
    assert html.count('<th scope="row">one</th>') == 1


def test_fitting_without_labels_says_what_is_missing(switched_on, project, lead, client_of):
    response = client_of(lead).post(reverse("judges:fit"), {"project": project.slug}, follow=True)
    assert "Not fitted: too few labels" in response.content.decode()


def test_beginning_where_judges_are_off_asks_nobody(site, project, lead, client_of, loopback):
    response = client_of(lead).post(reverse("judges:begin"), {"project": project.slug, "kind": "answers"}, follow=True)
    assert "Judges are off in this project" in response.content.decode()
    assert (loopback.asked, JudgeRun.objects.count()) == ([], 0)


# The layer on the desk --------------------------------------------------------------------------------------------


def layer_html(item, hidden=False):
    from types import SimpleNamespace

    from django.template.loader import render_to_string

    return render_to_string("judges/layer.html", {"item": item, "desk": SimpleNamespace(hidden=hidden)})


def test_the_layer_names_judges_reasons_and_words_and_says_it_is_no_mark(switched_on, project, wrong):
    run(project)
    html = layer_html(wrong)
    assert "judges: 2 of 2 say unsupported" in html
    assert "They are no marks" in html
    assert html.count("The source says 14 days.") == 4  # each judge with its vote, and beside the words it named
    assert "You have <mark>30 days</mark>." in html
    assert '<q dir="auto">blue</q> (one)' in html


def test_the_layer_is_one_query_and_none_while_marks_are_hidden(
    switched_on, project, wrong, fine, django_assert_num_queries
):
    run(project)
    with django_assert_num_queries(1):
        layer_html(wrong)
    with django_assert_num_queries(0):
        assert layer_html(wrong, hidden=True).strip() == ""


def test_no_layer_where_judges_are_off_or_said_nothing(switched_on, project, lead, wrong):
    assert layer_html(wrong).strip() == ""
    run(project)
    services.configure(project=project, actor=lead, now=NOW, enabled=False, names=[], agreed=False)
    assert layer_html(wrong).strip() == ""


def test_what_judges_write_is_escaped(switched_on, project, wrong):
    bad = "<script>alert(1)</script>"
    JudgeVote.objects.create(
        project=project, answer=wrong.answer, judge="one", key="k", outcome="valid", unsupported=True, reason=bad,
        words=["30 days", bad], created_at=NOW,
    )  # fmt: skip
    html = layer_html(wrong)
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_the_engines_marks_stay_as_they_are(switched_on, project, wrong):
    before = wrong.inspection.report
    run(project)
    wrong.inspection.refresh_from_db()
    assert wrong.inspection.report == before


# Labels -----------------------------------------------------------------------------------------------------------


def decide(item, kind, reviewer):
    item.state = "decided"
    item.save()
    return Decision.objects.create(
        item=item, inspection=item.inspection, reviewer=reviewer, kind=kind, request_key=str(item.pk), decided_at=NOW
    )


@pytest.fixture
def labelled(queue, reviewer, wrong, fine):
    """Two decisions that are wrong, one right one, one label that came with its answer and is wrong."""
    decide(wrong, "keep", reviewer)  # unsupported, called supported
    decide(fine, "reject", reviewer)  # supported, called unsupported
    good = make_item(queue, "It may be kept for 14 days.", probability=0.1)
    decide(good, "keep", reviewer)
    given = make_item(queue, "Keep it 30 days.", [Fault("30 days", "14 days")], probability=0.8)
    type(given.answer).objects.filter(pk=given.answer_id).update(given_label=0)
    return {"wrong": wrong, "fine": fine, "good": good, "given": given}


def doubted(project, state="open"):
    return {doubt.item_id: doubt for doubt in selectors.doubts_of(project, state)}


def test_an_audit_without_judges_lists_what_the_engine_denies_and_sends_nothing(project, labelled, site, loopback):
    done = run(project, kind="audit", with_judges=False)
    assert done.result == {"labels": 4, "doubted": 3}
    found = doubted(project)
    assert set(found) == {labelled[name].pk for name in ("wrong", "fine", "given")}
    assert {doubt.by for doubt in found.values()} == {"engine"}
    assert found[labelled["given"].pk].origin == "given"
    assert loopback.asked == []


def test_an_audit_with_judges_lists_their_reasons(switched_on, project, labelled, client_of, lead):
    run(project, kind="audit", with_judges=True)
    doubt = doubted(project)[labelled["wrong"].pk]
    assert (doubt.by, doubt.votes, doubt.against) == ("both", 2, 2)
    assert doubt.reasons == [["one", "The source says 14 days."], ["two", "The source says 14 days."]]
    html = page(client_of(lead), "audit", project)
    assert "engine and all judges deny it" in html
    assert "The source says 14 days." in html


def test_a_changed_label_becomes_gold_and_can_be_taken_back(project, labelled, lead, client_of):
    run(project, kind="audit", with_judges=False)
    client = client_of(lead)
    for name, kind in (("wrong", "reject"), ("fine", "keep")):
        doubt = doubted(project)[labelled[name].pk]
        client.post(reverse("judges:settle", args=[doubt.pk]), {"action": "change", "note": "looked it up"})
        gold = Gold.objects.get(item=labelled[name])
        assert (gold.kind, gold.decided_by, gold.reason) == (kind, lead, "looked it up")
    assert {one.label for one in audit.stored_labels(project) if one.item == labelled["wrong"]} == {1}
    assert "looked it up" in page(client, "audit", project, state="changed")
    doubt = doubted(project, "changed")[labelled["wrong"].pk]
    client.post(reverse("judges:settle", args=[doubt.pk]), {"action": "reopen"})
    assert not Gold.objects.filter(item=labelled["wrong"]).exists()
    assert labelled["wrong"].pk in doubted(project)


def test_a_kept_label_is_not_doubted_again(project, labelled, lead, client_of):
    run(project, kind="audit", with_judges=False)
    doubt = doubted(project)[labelled["wrong"].pk]
    client_of(lead).post(reverse("judges:settle", args=[doubt.pk]), {"action": "keep"})
    run(project, kind="audit", with_judges=False)
    assert labelled["wrong"].pk not in doubted(project)
    assert labelled["wrong"].pk in doubted(project, "kept")
    assert not Gold.objects.exists()


def test_a_settled_label_that_changed_since_is_doubted_anew(project, labelled, lead):
    run(project, kind="audit", with_judges=False)
    doubt = doubted(project)[labelled["fine"].pk]
    audit.settle(doubt=doubt, change=False, actor=lead, now=NOW)
    Decision.objects.filter(item=labelled["fine"]).update(kind="keep")
    type(labelled["fine"].inspection).objects.filter(pk=labelled["fine"].inspection_id).update(
        unsupported_probability=0.9
    )
    run(project, kind="audit", with_judges=False)
    assert doubted(project)[labelled["fine"].pk].label == 0


def test_a_label_settled_twice_is_settled_once(project, labelled, lead):
    run(project, kind="audit", with_judges=False)
    doubt = doubted(project)[labelled["wrong"].pk]
    assert audit.settle(doubt=doubt, change=False, actor=lead, now=NOW)
    assert not audit.settle(doubt=doubt, change=True, actor=lead, now=NOW)
    assert not Gold.objects.exists()


def test_a_doubt_that_nobody_shares_any_more_is_gone(project, labelled):
    run(project, kind="audit", with_judges=False)
    Decision.objects.filter(item=labelled["wrong"]).update(kind="reject")
    run(project, kind="audit", with_judges=False)
    assert labelled["wrong"].pk not in doubted(project)
    assert Doubt.objects.get(item=labelled["wrong"]).state == "gone"


def test_an_empty_audit_page_says_what_to_do(project, lead, client_of):
    html = page(client_of(lead), "audit", project)
    assert "The labels were not looked through yet" in html
    assert "Look through them and ask the judges" not in html


def test_the_list_costs_the_same_queries_at_any_length(project, queue, reviewer, lead, client_of):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = client_of(lead)
    counts = []
    for n in (2, 9):
        for i in range(n):
            item = make_item(queue, f"Number {n}-{i}: you have 30 days.", [Fault("30 days")], probability=0.9)
            decide(item, "keep", reviewer)
        run(project, kind="audit", with_judges=False)
        page(client, "audit", project)
        with CaptureQueriesContext(connection) as seen:
            page(client, "audit", project)
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 12
