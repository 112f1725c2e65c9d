"""Doors to work in progress: verdicts, switches, words and marks of one's own. Every change is a POST."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from webapp.review import forms, selectors, services
from webapp.review.access import get_claim_or_404, reviewer_of, reviewer_required
from webapp.review.models import Claim
from webapp.review.problems import ClaimLapsed, UnknownMark, Unusable
from webapp.review.recheck import proofread_again
from webapp.review.services.newer import take_newer
from webapp.review.showing import is_htmx, item_page, lapsed_page, shortcuts_of


@require_POST
@reviewer_required
def verdict(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    form = forms.VerdictForm(request.POST)
    if not form.is_valid():
        return item_page(request, selectors.get_item(claim.item_id), status=422)
    index, says = form.cleaned_data["mark"], form.cleaned_data["verdict"]
    try:
        draft = services.set_verdict(claim=claim, mark_index=index, verdict=says, now=timezone.now())
    except ClaimLapsed as lapsed:
        return lapsed_page(request, lapsed)
    except UnknownMark:
        return item_page(request, selectors.get_item(claim.item_id), status=422)
    if not is_htmx(request):
        return redirect(f"{reverse('review:item', args=[item_id])}#verdict-{index}")
    shortcuts = shortcuts_of(reviewer_of(request).shortcuts)
    context = {"item": claim.item, "index": index, "says": says, "saved_at": draft.saved_at, "shortcuts": shortcuts}
    return render(request, "review/item.html#verdict-saved", context)


@require_POST
@reviewer_required
def choose(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Take one of the corrections that a receipt leaves open into the healed text, or take it back."""
    claim = get_claim_or_404(request, item_id)
    form = forms.AlternativeForm(request.POST)
    if not form.is_valid():
        return item_page(request, selectors.get_item(claim.item_id), status=422)
    mark, candidate = form.cleaned_data["mark"], form.cleaned_data["candidate"]
    return _changed(request, claim, lambda: services.choose_alternative(
        claim=claim, mark_index=mark, candidate=candidate, now=timezone.now()
    ))  # fmt: skip


@require_POST
@reviewer_required
def draft(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Keep which edits are switched off, or the reason; says when it was kept, and what the editor starts with now."""
    claim = get_claim_or_404(request, item_id)
    form = forms.TextForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    off = forms.switched_off(request.POST, form.cleaned_data["edits"]) if "edits" in request.POST else None
    reason = form.cleaned_data["reason"] if "reason" in request.POST else None
    try:
        kept = services.save_draft(claim=claim, switched_off=off, reason=reason, now=timezone.now())
    except Unusable:
        return HttpResponse(status=422)
    except ClaimLapsed:
        return HttpResponse(_("Kept, but a colleague holds this answer by now."), status=409)
    if not is_htmx(request):
        return redirect("review:item", item_id)
    text = selectors.healed_text(claim.item, kept) if kept.text is None and off is not None else None
    context = {"item": claim.item, "saved_at": kept.saved_at, "edit_text": text, "oob": True}
    return render(request, "review/item.html#switched", context)


@require_POST
@reviewer_required
def recheck(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Keep the text in the editor and proofread it: how it differs from the original, which marks are new or left."""
    claim = get_claim_or_404(request, item_id)
    form = forms.TextForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=422)
    text = form.cleaned_data["text"]
    context: dict[str, Any] = {"item": claim.item}
    try:
        if text != selectors.edit_text(claim.item, reviewer_of(request)):
            context["saved_at"] = services.save_draft(claim=claim, text=text, now=timezone.now()).saved_at
    except ClaimLapsed as lapsed:
        context["handed_on"] = True
        context["saved_at"] = lapsed.draft.saved_at if lapsed.draft else None
    context["again"] = proofread_again(claim.item, text)
    return render(request, "review/item.html#recheck", context)


@require_POST
@reviewer_required
def add_mark(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    form = forms.AddMarkForm(request.POST)
    if not form.is_valid():
        return item_page(request, selectors.get_item(claim.item_id), status=422)
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    return _changed(request, claim, lambda: services.add_mark(
        claim=claim, first_token=first, last_token=last, now=timezone.now()
    ))  # fmt: skip


@require_POST
@reviewer_required
def remove_mark(request: HttpRequest, item_id: UUID, start: int) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    return _changed(request, claim, lambda: services.remove_mark(claim=claim, start=start, now=timezone.now()))


@require_POST
@reviewer_required
def reveal(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    return _changed(request, claim, lambda: services.reveal_marks(claim=claim, now=timezone.now()))


@require_POST
@reviewer_required
def newer(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Show the item as the newest proofreading reads it; the reviewer's own words and marks stay."""
    claim = get_claim_or_404(request, item_id)
    return _changed(request, claim, lambda: take_newer(claim=claim, now=timezone.now()))


def _changed(request: HttpRequest, claim: Claim, change: Callable[[], object]) -> HttpResponse:
    """Carry out a change of the draft and show the item as it is now."""
    try:
        change()
    except ClaimLapsed as lapsed:
        return lapsed_page(request, lapsed)
    except UnknownMark:
        return item_page(request, selectors.get_item(claim.item_id), status=422)
    if not is_htmx(request):
        return redirect("review:item", claim.item_id)
    return item_page(request, selectors.get_item(claim.item_id))
