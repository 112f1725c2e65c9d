"""Thin doors to the desk: fetch and authorise, call a service, show the page. Every change is a POST.

With htmx an answer replaces <main> and carries the bar and the toast along; without it the same forms redirect.
"""

from __future__ import annotations

import uuid
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from webapp.review import forms, selectors, services
from webapp.review.access import (
    get_claim_or_404,
    get_decision_or_404,
    get_item_or_404,
    get_queue_or_404,
    reviewer_of,
    reviewer_required,
)
from webapp.review.models import Claim, Decision, Item, Queue
from webapp.review.problems import CannotUndo, ClaimLapsed, NeedsConfirmation, UnknownMark, Unusable, WasUndone
from webapp.review.recheck import proofread_again
from webapp.review.services.newer import take_newer
from webapp.review.words import decision_sentence

#: What a session remembers: the decisions it made, oldest first, and the one that the next page tells about.
UNDO_KEY, TOLD_KEY = "decisions", "decision_to_tell"
#: How many steps back a session can go.
STEPS_BACK = 50


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


# Pages ------------------------------------------------------------------------------------------------------------


@require_GET
@reviewer_required
def desk(request: HttpRequest) -> HttpResponse:
    """The start page: back to the item in hand, else what waits in the reviewer's queues."""
    user = reviewer_of(request)
    held = selectors.open_claims(reviewer=user).first()
    if held is not None and held.until > timezone.now():
        return redirect("review:item", held.item_id)
    return _start_page(request)


def _start_page(request: HttpRequest, *, finished: Queue | None = None) -> HttpResponse:
    """What waits; `finished` is the queue in which nothing is left for this reviewer."""
    rows = selectors.queue_rows(reviewer_of(request))
    context = {
        "rows": rows,
        "unread": selectors.waiting_long_for_the_worker(rows, now=timezone.now()),
        "finished": finished,
        "section": "desk",
        "undo": _undo_offer(request),
        "shortcuts": _shortcuts(reviewer_of(request).shortcuts),
        "first_run": not any(row.progress.total for row in rows),
    }
    return _page(request, "review/desk.html", context, url=reverse("desk"))


@require_GET
@reviewer_required
def queues(request: HttpRequest) -> HttpResponse:
    rows = selectors.queue_rows(reviewer_of(request))
    return render(request, "review/queues.html", {"rows": rows, "section": "queues"})


@require_GET
@reviewer_required
def item(request: HttpRequest, item_id: UUID) -> HttpResponse:
    return _item_page(request, get_item_or_404(request, item_id))


def _item_page(request: HttpRequest, item: Item, *, status: int = 200, **extra: Any) -> HttpResponse:
    shown = selectors.desk_item(item=item, reviewer=reviewer_of(request))
    seconds = _seconds_left(shown.claim)
    context = {
        **_item_context(request, shown, held=seconds > 0),
        "seconds_left": seconds,
        "progress": selectors.progress_of(item.queue),
        "undo": _undo_offer(request),
        **extra,
    }
    return _page(request, "review/item.html", context, url=reverse("review:item", args=[item.pk]), status=status)


def _item_context(request: HttpRequest, shown: selectors.DeskItem, *, held: bool) -> dict[str, Any]:
    """What <main> needs of one item; `held`: the reviewer has it in hand, or will when they see it."""
    return {
        "desk": shown,
        "item": shown.item,
        "claim": held,
        "request_key": uuid.uuid4().hex,
        "section": "desk",
        "shortcuts": _shortcuts(reviewer_of(request).shortcuts),
        "typed": None,
        "read_again": held and getattr(shown.item, "newest_inspection", None) not in (None, shown.item.inspection_id),
    }


def _seconds_left(claim: Claim | None) -> int:
    return max(0, int((claim.until - timezone.now()).total_seconds())) if claim else 0


@require_GET
@reviewer_required
def ahead(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """<main> of the answer that comes after this one, for the script to show at once; nobody holds it by this.

    `X-Shown` names what the page was made from; it goes back with the decision, and where the next answer is another
    by then, or was proofread again, the decision is answered with that page instead.
    """
    claim = get_claim_or_404(request, item_id)
    found = services.item_after(item=claim.item, reviewer=claim.reviewer)
    if found is None:
        return HttpResponse(status=204)
    after = selectors.get_item(found.pk)
    shown = selectors.desk_item(item=after, reviewer=reviewer_of(request), ahead=True)
    response = render(request, "review/ahead.html", _item_context(request, shown, held=True))
    response["X-Shown"] = _shown(after)
    response["Cache-Control"] = "no-store"
    return response


def _shown(item: Item) -> str:
    return f"{item.pk}/{item.inspection_id}"


def _page(request: HttpRequest, template: str, context: dict[str, Any], *, url: str, status: int = 200) -> HttpResponse:
    """The whole page, or for an htmx request its <main> with the bar and the toast beside it."""
    if not _is_htmx(request) or request.method == "GET":
        return render(request, template, context, status=status)
    response = render(request, "review/swap.html", {**context, "page": f"{template}#main"}, status=status)
    response["HX-Push-Url"] = url
    return response


def _shortcuts(stored: dict[str, Any]) -> dict[str, Any]:
    from webapp.accounts.shortcuts import keys_of

    return {"on": bool(stored.get("enabled", True)), "keys": keys_of(stored)}


def _undo_offer(request: HttpRequest) -> dict[str, Any] | None:
    """What can be taken back next: the reviewer's newest decision of this session that stands.

    `fresh` on the first page after the decision, where a toast tells about it; not again when that page is reloaded.
    """
    told = request.session.pop(TOLD_KEY, None)
    made = request.session.get(UNDO_KEY) or []
    standing = Decision.objects.filter(pk__in=made, undone_at__isnull=True)
    newest = max(standing, key=lambda decision: made.index(str(decision.pk)), default=None)
    if newest is None:
        return None
    return {
        "sentence": decision_sentence(newest.kind),
        "url": reverse("review:undo", args=[newest.pk]),
        "fresh": told == str(newest.pk),
    }


def _remember(request: HttpRequest, decision: Decision) -> None:
    key = str(decision.pk)
    request.session[UNDO_KEY] = [*_without(request, key), key][-STEPS_BACK:]
    request.session[TOLD_KEY] = key


def _without(request: HttpRequest, key: str) -> list[str]:
    return [made for made in request.session.get(UNDO_KEY) or [] if made != key]


# Claims -----------------------------------------------------------------------------------------------------------


@require_POST
@reviewer_required
def next_item(request: HttpRequest, queue_id: int) -> HttpResponse:
    return _show_next(request, get_queue_or_404(request, queue_id))


def _show_next(request: HttpRequest, queue: Queue, *, made: Decision | None = None) -> HttpResponse:
    """The next answer of a queue; `made` is the decision that leads to it."""
    claim = services.claim_next_item(queue=queue, reviewer=reviewer_of(request), now=timezone.now())
    if claim is not None and made is not None and request.POST.get("shown") == _shown(claim.item):
        return _confirmed(request, claim, made)
    return _show_claimed(request, claim, queue)


def _show_claimed(request: HttpRequest, claim: Claim | None, queue: Queue) -> HttpResponse:
    if not _is_htmx(request):
        if claim is not None:
            return redirect("review:item", claim.item_id)
        messages.info(request, _("Nothing is left for you in %(queue)s.") % {"queue": queue.name})
        return redirect("desk")
    if claim is None:
        return _start_page(request, finished=queue)
    return _item_page(request, selectors.get_item(claim.item_id))


def _confirmed(request: HttpRequest, claim: Claim, made: Decision) -> HttpResponse:
    """What stands around an answer that the script shows already: the bar, the toast and the step back."""
    request.session.pop(TOLD_KEY, None)
    context = {
        "item": claim.item,
        "claim": True,
        "seconds_left": _seconds_left(claim),
        "progress": selectors.progress_of(claim.item.queue),
        "undo": {
            "sentence": decision_sentence(made.kind),
            "url": reverse("review:undo", args=[made.pk]),
            "fresh": True,
        },
        "shortcuts": _shortcuts(reviewer_of(request).shortcuts),
    }
    response = render(request, "review/confirmed.html", context)
    response["X-Shown"] = _shown(claim.item)
    response["HX-Push-Url"] = reverse("review:item", args=[claim.item_id])
    return response


@require_POST
@reviewer_required
def claim(request: HttpRequest, item_id: UUID) -> HttpResponse:
    item = get_item_or_404(request, item_id)
    try:
        services.claim_item(item=item, reviewer=reviewer_of(request), now=timezone.now())
    except ClaimLapsed as lapsed:
        return _lapsed_page(request, lapsed)
    return (
        redirect("review:item", item.pk) if not _is_htmx(request) else _item_page(request, selectors.get_item(item.pk))
    )


@require_POST
@reviewer_required
def renew(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Hold the item for longer; JSON, because only the script asks for it."""
    claim = get_claim_or_404(request, item_id)
    try:
        claim = services.renew_claim(claim=claim, now=timezone.now())
    except ClaimLapsed:
        return JsonResponse({"held": False}, status=409)
    return JsonResponse({"held": True, "seconds": int((claim.until - timezone.now()).total_seconds())})


@require_POST
@reviewer_required
def release(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Put the answer back undecided, with what was done kept for whenever one holds it again."""
    claim = get_claim_or_404(request, item_id)
    form = forms.TextForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    services.release_claim(claim=claim, reason=reason, now=timezone.now())
    messages.info(request, _("Put back: it waits again, and what you had done is kept."))
    return _start_page(request) if _is_htmx(request) else redirect("desk")


def _lapsed_page(request: HttpRequest, lapsed: ClaimLapsed) -> HttpResponse:
    """409: somebody else has the item. Shows what the reviewer had done, which is kept."""
    own = selectors.standing_decisions(reviewer_of(request)).filter(item=lapsed.item).exists()
    context = {"item": lapsed.item, "draft": lapsed.draft, "own": own, "section": "desk"}
    url = reverse("review:item", args=[lapsed.item.pk])
    return _page(request, "review/lapsed.html", context, url=url, status=409)


# Work in progress -------------------------------------------------------------------------------------------------


@require_POST
@reviewer_required
def verdict(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    form = forms.VerdictForm(request.POST)
    if not form.is_valid():
        return _item_page(request, selectors.get_item(claim.item_id), status=422)
    index, says = form.cleaned_data["mark"], form.cleaned_data["verdict"]
    try:
        draft = services.set_verdict(claim=claim, mark_index=index, verdict=says, now=timezone.now())
    except ClaimLapsed as lapsed:
        return _lapsed_page(request, lapsed)
    except UnknownMark:
        return _item_page(request, selectors.get_item(claim.item_id), status=422)
    if not _is_htmx(request):
        return redirect(f"{reverse('review:item', args=[item_id])}#verdict-{index}")
    shortcuts = _shortcuts(reviewer_of(request).shortcuts)
    context = {"item": claim.item, "index": index, "says": says, "saved_at": draft.saved_at, "shortcuts": shortcuts}
    return render(request, "review/item.html#verdict-saved", context)


@require_POST
@reviewer_required
def choose(request: HttpRequest, item_id: UUID) -> HttpResponse:
    """Take one of the corrections that a receipt leaves open into the healed text, or take it back."""
    claim = get_claim_or_404(request, item_id)
    form = forms.AlternativeForm(request.POST)
    if not form.is_valid():
        return _item_page(request, selectors.get_item(claim.item_id), status=422)
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
    if not _is_htmx(request):
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
        return _item_page(request, selectors.get_item(claim.item_id), status=422)
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


def _changed(request: HttpRequest, claim: Claim, change: Any) -> HttpResponse:
    """Carry out a change of the draft and show the item as it is now."""
    try:
        change()
    except ClaimLapsed as lapsed:
        return _lapsed_page(request, lapsed)
    except UnknownMark:
        return _item_page(request, selectors.get_item(claim.item_id), status=422)
    if not _is_htmx(request):
        return redirect("review:item", claim.item_id)
    return _item_page(request, selectors.get_item(claim.item_id))


# Decisions --------------------------------------------------------------------------------------------------------


@require_POST
@reviewer_required
def decide(request: HttpRequest, item_id: UUID) -> HttpResponse:
    claim = get_claim_or_404(request, item_id)
    form = forms.DecisionForm(request.POST)
    if not form.is_valid():
        return _sent_back(request, claim, form=form)
    try:
        decision = services.decide(claim=claim, choice=form.choice(), now=timezone.now())
    except ClaimLapsed as lapsed:
        return _lapsed_page(request, lapsed)
    except Unusable as unusable:
        form.add_error(unusable.field if unusable.field in form.fields else None, unusable.reason)
        return _sent_back(request, claim, form=form)
    except WasUndone:
        messages.info(request, _("This decision was taken back; the answer waits for a new one."))
        return _item_page(request, selectors.get_item(claim.item_id), status=409)
    except NeedsConfirmation as asks:
        return _sent_back(request, claim, asks=asks)
    _remember(request, decision)
    return _show_next(request, claim.item.queue, made=decision)


def _sent_back(request: HttpRequest, claim: Claim, **why: Any) -> HttpResponse:
    """The item page again, with what was typed in its fields and the reason why nothing was decided."""
    edited = request.POST.get("kind") == Decision.Kind.ACCEPT_EDITED
    typed = {"typed": request.POST.get("text") if edited else None, "reason": request.POST.get("reason")}
    return _item_page(request, selectors.get_item(claim.item_id), status=422, **typed, **why)


@require_POST
@reviewer_required
def undo(request: HttpRequest, decision_id: UUID) -> HttpResponse:
    """Take a decision back; the session's next step back is then the decision before it, whatever its answer."""
    decision = get_decision_or_404(request, decision_id)
    request.session[UNDO_KEY] = _without(request, str(decision.pk))
    try:
        claim = services.undo_decision(decision=decision, reviewer=reviewer_of(request), now=timezone.now())
    except CannotUndo:
        shortcuts = _shortcuts(reviewer_of(request).shortcuts)
        undo = _undo_offer(request)
        context = {"decision": decision, "section": "desk", "undo": undo, "shortcuts": shortcuts}
        return _page(request, "review/not_undone.html", context, url=reverse("desk"), status=409)
    said = {"what": decision_sentence(decision.kind)}
    messages.info(request, _("Taken back: “%(what)s” The answer is in your hands again.") % said)
    return _show_claimed(request, claim, decision.item.queue)
