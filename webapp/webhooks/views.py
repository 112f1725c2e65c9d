"""Pages of a project's webhooks: where its events go, each try to send one, and sending again."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from webapp.accounts.access import get_project_or_404
from webapp.records.models import Project
from webapp.webhooks import selectors, services
from webapp.webhooks.forms import EVENT_WORDS, EventsForm, WebhookForm
from webapp.webhooks.models import Delivery, Webhook

#: Deliveries on one page of the log.
PAGE = 50


def _tabs(project: Project) -> dict[str, Any]:
    return {"section": "projects", "project": project, "tab": "webhooks", "administers": True, "words": EVENT_WORDS}


def get_webhook_or_404(request: HttpRequest, project_slug: str, webhook_id: UUID) -> Webhook:
    """A webhook of a project that the user runs."""
    project = get_project_or_404(request, project_slug, administer=True)
    return get_object_or_404(Webhook.objects.select_related("project", "created_by"), project=project, pk=webhook_id)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def webhooks(request: HttpRequest, project_slug: str) -> HttpResponse:
    """The project's webhooks; the secret of a new one is shown this once."""
    project = get_project_or_404(request, project_slug, administer=True)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    secret, made = "", None
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = services.create_webhook(
                project=project, user=request.user, now=timezone.now(), **form.cleaned_data
            )
        except services.CannotHook as error:
            form.add_error(error.field, str(error))
        else:
            form = WebhookForm()
    context = {
        **_tabs(project),
        "rows": selectors.webhooks_of(project),
        "form": form,
        "secret": secret,
        "made": made,
    }
    return render(request, "webhooks/list.html", context, status=422 if form.errors else 200)


def _page(request: HttpRequest, found: Webhook, *, form: EventsForm, secret: str = "") -> HttpResponse:
    log = Paginator(selectors.deliveries_of(found), PAGE).get_page(request.GET.get("page"))
    context = {**_tabs(found.project), "webhook": found, "page": log, "form": form, "secret": secret}
    return render(request, "webhooks/webhook.html", context, status=422 if form.errors else 200)


@require_safe
@login_required
def webhook(request: HttpRequest, project_slug: str, webhook_id: UUID) -> HttpResponse:
    """One webhook with its delivery log."""
    found = get_webhook_or_404(request, project_slug, webhook_id)
    return _page(request, found, form=EventsForm(initial={"events": found.events}))


@require_POST
@login_required
def change(request: HttpRequest, project_slug: str, webhook_id: UUID) -> HttpResponse:
    """Switch a webhook off or on, or choose other events."""
    found = get_webhook_or_404(request, project_slug, webhook_id)
    if "active" in request.POST:
        active = request.POST["active"] == "1"
        services.change_webhook(webhook=found, active=active, user=request.user, now=timezone.now())
        messages.success(request, _("Switched on.") if active else _("Switched off: nothing is sent."))
        return redirect("webhooks:webhook", project_slug, found.pk)
    form = EventsForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form=form)
    services.change_webhook(webhook=found, user=request.user, now=timezone.now(), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("webhooks:webhook", project_slug, found.pk)


@require_POST
@login_required
@never_cache
def renew(request: HttpRequest, project_slug: str, webhook_id: UUID) -> HttpResponse:
    """A new secret, shown this once."""
    found = get_webhook_or_404(request, project_slug, webhook_id)
    secret = services.renew_secret(webhook=found, user=request.user, now=timezone.now())
    return _page(request, found, form=EventsForm(initial={"events": found.events}), secret=secret)


@require_POST
@login_required
def delete(request: HttpRequest, project_slug: str, webhook_id: UUID) -> HttpResponse:
    """Forget a webhook and its log."""
    found = get_webhook_or_404(request, project_slug, webhook_id)
    services.delete_webhook(webhook=found, user=request.user, now=timezone.now())
    messages.success(request, _("The webhook is deleted."))
    return redirect("webhooks:list", project_slug)


@require_POST
@login_required
def redeliver(request: HttpRequest, project_slug: str, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """Send one event again."""
    found = get_webhook_or_404(request, project_slug, webhook_id)
    delivery = get_object_or_404(Delivery, webhook=found, pk=delivery_id)
    services.redeliver(delivery=delivery, user=request.user, now=timezone.now())
    messages.success(request, _("It is on its way again."))
    return redirect("webhooks:webhook", project_slug, found.pk)
