"""The page of a calibration run: what it costs first, the curves with tables behind them, choosing, and refusals."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from proofing.learning.curves import cut_points
from tests.webapp.conftest import NOW, OUTSIDERS
from webapp.calibration import curves, services
from webapp.calibration.models import CalibrationRun, LabelledSet, OperatingPoint
from webapp.records.models import Inspection


@pytest.fixture
def ask(project, lead, workers):
    """Freezes today's labels and has a run made on them."""

    def run(name="March", **options):
        frozen = services.freeze_set(project=project, name=name, now=NOW, user=lead)
        with workers():
            asked = services.request_calibration(labelled_set=frozen, now=NOW, user=lead, **options)
        asked.refresh_from_db()
        return asked

    return run


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_runs_are_closed_to(outsider, outsiders, project, client_of):
    frozen = LabelledSet.objects.create(project=project, name="x")
    run = CalibrationRun.objects.create(labelled_set=frozen, created_at=NOW)
    browser = client_of(outsiders[outsider])
    for address in (f"/runs/{run.pk}/", f"/runs/{run.pk}/items/"):
        assert browser.get(address).status_code in {302, 404}


def test_a_refusal_says_what_is_missing_and_stores_nothing(item_of, decide, ask, lead, client_of):
    decide(item_of(), "accept_healed")
    run = ask()
    page = client_of(lead).get(f"/runs/{run.pk}/").text
    assert "199 more" in page
    assert "Nothing was stored." in page
    client_of(lead).post(f"/runs/{run.pk}/choose/", {"reason": "anyway"})
    assert not OperatingPoint.objects.exists()


def test_a_finished_run_shows_its_cost_before_its_threshold_with_every_figure_in_a_table(
    many_labelled, ask, lead, client_of, project, queue, django_assert_max_num_queries
):
    many_labelled(210)
    run = ask()
    page = client_of(lead)
    with django_assert_max_num_queries(26):
        text = page.get(f"/runs/{run.pk}/").text
    figures = re.findall(r"<dt>([^<]+)</dt>", text)
    assert figures.index("False alarms") < figures.index("Found") < figures.index("Threshold")
    drawings = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    assert len(drawings) == 5
    for drawing in drawings:
        tree = ElementTree.fromstring(drawing)
        titles = tree.attrib["aria-labelledby"].split()
        assert f'id="{titles[0]}"' in text
        assert tree.find("desc").text
        for node in tree.iter():
            for name in ("points", "x", "y", "cx", "cy", "width", "height"):
                for number in re.findall(r"-?[\d.]+", node.attrib.get(name, "")):
                    assert -60 <= float(number) <= 480
    shown = curves.curves_of(run)
    assert sum(bar.count for bar in shown.bins) == 210
    assert (shown.positives, shown.negatives) == (105, 105)
    # Every point opens its items: as many as it says.
    for cut in shown.cuts[:3]:
        behind = page.get(f"/runs/{run.pk}/items/?low={cut.cut!r}")
        assert behind.context["page"].paginator.count == cut.flagged
    for bar in shown.bins:
        behind = page.get(f"/runs/{run.pk}/items/?low={bar.low}&high={bar.high}")
        assert behind.context["page"].paginator.count == bar.count
    assert page.get(f"/runs/{run.pk}/items/?low=x&high=7&page=99").status_code == 200

    assert page.post(f"/runs/{run.pk}/choose/", {"reason": ""}).status_code == 302
    assert not OperatingPoint.objects.exists()
    page.post(f"/runs/{run.pk}/choose/", {"reason": "95 % found is what support can read"})
    point = OperatingPoint.objects.get(active=True)
    assert point.reason.startswith("95 %")
    assert "This point is in force." in page.get(f"/runs/{run.pk}/").text

    # Another engine reads answers today: the point is stale, and says in what.
    run.result["engine"] = {"version": "1", "tier": "fast"}
    run.save()
    OperatingPoint.objects.update(result=run.result)
    report = Inspection.objects.order_by("created_at").last()
    report.report["engine"] = {"version": "2", "tier": "fast"}
    report.created_at = NOW.replace(year=2027)
    report.save()
    assert curves.changed_since(run.result, curves.engine_now(project)) == [("version", "1", "2")]
    assert "Stale." in page.get(f"/runs/{run.pk}/").text
    assert "stale" in page.get("/sets/").text


def test_thinned_cuts_are_some_of_all_cuts():
    scores = [n / 1000 for n in range(1000)]
    labels = [int(n % 3 == 0) for n in range(1000)]
    few = cut_points(scores, labels, most=20)
    assert len(few) == 20
    assert (few[0].cut, few[-1].cut) == (0.999, 0.0)
    assert few[-1].recall == few[-1].fpr == 1.0


def test_a_run_at_work_asks_for_its_state_and_then_offers_the_result(project, lead, client_of):
    frozen = LabelledSet.objects.create(project=project, name="x")
    run = CalibrationRun.objects.create(labelled_set=frozen, created_at=NOW)
    page = client_of(lead)
    assert "hx-get" in page.get(f"/runs/{run.pk}/").text
    run.state = CalibrationRun.State.DONE
    run.save()
    part = page.get(f"/runs/{run.pk}/", headers={"HX-Request": "true"}).text
    assert "hx-get" not in part
    assert "Show the result" in part
