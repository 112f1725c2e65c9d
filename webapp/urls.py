"""Every address of the site: each room's own, and the three that operators watch."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import include, path

from webapp import health

#: Each room writes its own addresses in full, so that its `urls.py` reads like its table of contents.
ROOMS = {"review": "", "records": "", "intake": "", "calibration": "", "insights": "", "accounts": "accounts/"}

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("i18n/", include("django.conf.urls.i18n")),
    *(path(at, include(f"webapp.{room}.urls")) for room, at in ROOMS.items() if find_spec(f"webapp.{room}.urls")),
]
if find_spec("webapp.review.views"):
    from webapp.review import views as review_views

    urlpatterns.insert(0, path("", review_views.desk, name="desk"))
if find_spec("webapp.intake.api_urls"):
    urlpatterns.append(path("api/v1/", include("webapp.intake.api_urls")))
if find_spec("webapp.review.errors"):
    handler400 = "webapp.review.errors.bad_request"
    handler403 = "webapp.review.errors.forbidden"
    handler404 = "webapp.review.errors.not_found"
    handler500 = "webapp.review.errors.server_error"
