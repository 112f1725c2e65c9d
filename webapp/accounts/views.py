"""The profile page, the theme switch, and what is said after too many wrong passwords."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from webapp.accounts import oidc
from webapp.accounts.forms import ProfileForm
from webapp.accounts.models import User


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounts:profile")
    return render(
        request, "accounts/profile.html", {"form": form, **oidc.standing(request)}, status=422 if form.errors else 200
    )


def locked_out(request: HttpRequest, response: HttpResponse | None = None, *args: Any, **kwargs: Any) -> HttpResponse:
    """The log-in page again, saying how long to wait: 429 with Retry-After. Called by django-axes."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds() // 60)
    page = render(request, "accounts/locked_out.html", {"minutes": minutes}, status=429)
    page["Retry-After"] = str(minutes * 60)
    return page


@require_POST
@login_required
def theme(request: HttpRequest) -> HttpResponse:
    """Remember a theme; "switch" (the button without a script) goes round light, dark, as the system."""
    user = cast(User, request.user)
    chosen = request.POST.get("theme", "")
    if chosen == "switch":
        order = [User.Theme.AUTO, User.Theme.DARK, User.Theme.LIGHT]
        chosen = order[(order.index(User.Theme(user.theme)) + 1) % len(order)]
    if chosen in User.Theme.values:
        User.objects.filter(pk=user.pk).update(theme=chosen)
    if request.headers.get("X-Requested-With") == "fetch":
        return HttpResponse(status=204)
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return redirect(back if safe else "desk")
