"""Every address of the site: each room's own, and the three that operators watch."""

from __future__ import annotations

from django.urls import include, path

from webapp import health
from webapp.review import views as review_views

handler400 = "webapp.review.errors.bad_request"
handler403 = "webapp.review.errors.forbidden"
handler404 = "webapp.review.errors.not_found"
handler500 = "webapp.review.errors.server_error"

# Each room writes its own addresses in full, so that its `urls.py` reads like its table of contents.
urlpatterns = [
    path("", review_views.desk, name="desk"),
    path("", include("webapp.review.urls")),
    path("", include("webapp.records.urls")),
    path("", include("webapp.intake.urls")),
    path("", include("webapp.corpus.urls")),
    path("", include("webapp.calibration.urls")),
    path("", include("webapp.judges.urls")),
    path("", include("webapp.insights.urls")),
    path("", include("webapp.webhooks.urls")),
    path("accounts/", include("webapp.accounts.urls")),
    path("api/v1/", include("webapp.intake.api_urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
