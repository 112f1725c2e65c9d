"""The page of a refit reads well for everybody: by eye, by screen reader, on a phone."""

from __future__ import annotations

import random

from proofing.learning.comparison import compare
from tests.webapp.review.builders import NOW
from webapp.calibration import services
from webapp.calibration.models import FittedModel, Refit
from webapp.calibration.reading_models import columns_sha256


def test_both_models_are_compared_in_figures_curves_and_tables(queue, open_desk):
    draw = random.Random(1)
    labels = [int(draw.random() < 0.5) for _ in range(120)]
    old = [min(1.0, max(0.0, draw.gauss(0.4 + 0.1 * label, 0.2))) for label in labels]
    new = [min(1.0, max(0.0, draw.gauss(0.3 + 0.4 * label, 0.2))) for label in labels]
    found = compare(old, new, labels, old_cut=0.5, new_cut=0.5, resamples=50)
    kept = services.freeze_set(project=queue.project, name="March", now=NOW)
    result = {
        "counts": {"training": 480, "training_unsupported": 240, "held_out": 120, "held_out_unsupported": sum(labels),
                   "left_out": 3, "known": 0, "unusable": 0},
        "engine": {"tier": "fast"}, "in_force": "public-mix@0123456789ab", "cuts": [0.5, 0.5], "shipped": None,
        "figures": {name: one.to_dict(name) for name, one in found.items()},
        "scores": [list(row) for row in zip(labels, old, new, strict=True)],
    }  # fmt: skip
    refit = Refit.objects.create(
        labelled_set=kept, project=queue.project, state="done", result=result, created_at=NOW, heartbeat_at=NOW
    )
    FittedModel.objects.create(
        project=queue.project, refit=refit, version=1, name="shop-1", sha256="a" * 64, content=b"{}", created_at=NOW,
        columns_sha256=columns_sha256(), card={"base": "public-mix@0123456789ab", "limits": ["for such answers"]},
    )  # fmt: skip
    desk = open_desk("lead", role="lead")
    desk.page.goto(f"{desk.base}/refits/{refit.pk}/")
    desk.check()
    assert desk.page.locator("svg.chart").count() == 3
    assert desk.page.get_by_text("better", exact=True).count() >= 1
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.fits()
    cells = desk.page.locator(".stacks td.num")
    assert set(cells.evaluate_all("all => all.map(one => getComputedStyle(one).textAlign)")) <= {"left", "start"}
    desk.page.get_by_label("Why this model").fill("fewer false alarms")
    desk.page.get_by_role("button", name="Put in force").click()
    assert "fewer false alarms" in desk.page.locator("main").inner_text()
    desk.check()

    # Once it is in force itself, the page still says which one it was compared with.
    desk.page.goto(f"{desk.base}/refits/{refit.pk}/")
    said = desk.page.locator("main").text_content()
    assert "This model is in force." in said
    named = desk.page.locator("[data-label], thead th, .key + *").evaluate_all(
        "all => all.map(one => one.dataset.label || one.textContent)"
    )
    assert any("In force then" in one for one in named)
    assert not [one for one in named if "in force" in one.lower() and "in force then" not in one.lower()]
    assert "in force then: public-mix@0123456789ab" in " ".join(said.split())
    assert desk.troubles == []
