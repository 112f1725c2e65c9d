"""What the desk answers with: a page, or for htmx its <main> with the bar and the toast beside it."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from webapp.accounts.access import SESSION_KEY
from webapp.review import selectors
from webapp.review.access import reviewer_of
from webapp.review.models import Claim, Decision, Item, Queue
from webapp.review.problems import ClaimLapsed
from webapp.review.words import decision_sentence

#: What a session remembers: the decisions it made, oldest first, and the one that the next page tells about.
UNDO_KEY, TOLD_KEY = "decisions", "decision_to_tell"
#: How many steps back a session can go.
STEPS_BACK = 50


def is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def page(request: HttpRequest, template: str, context: dict[str, Any], *, url: str, status: int = 200) -> HttpResponse:
    """The whole page, or for an htmx request its <main> with the bar and the toast beside it."""
    if not is_htmx(request) or request.method == "GET":
        return render(request, template, context, status=status)
    response = render(request, "review/swap.html", {**context, "page": f"{template}#main"}, status=status)
    response["HX-Push-Url"] = url
    return response


def start_page(request: HttpRequest, *, finished: Queue | None = None) -> HttpResponse:
    """What waits; `finished` is the queue in which nothing is left for this reviewer."""
    rows = sorted(selectors.queue_rows(reviewer_of(request)), key=lambda row: not row.progress.left)
    waiting = [row.queue for row in rows if row.progress.left]
    last = request.session.get(SESSION_KEY)  # whoever has just uploaded a file wants its answers
    context = {
        "rows": rows,
        "unread": selectors.waiting_long_for_the_worker(rows, now=timezone.now()),
        "start": next((queue for queue in waiting if queue.project.slug == last), waiting[0] if waiting else None),
        "finished": finished,
        "section": "desk",
        "undo": undo_offer(request),
        "shortcuts": shortcuts_of(reviewer_of(request).shortcuts),
        "first_run": not any(row.progress.total for row in rows),
    }
    return page(request, "review/desk.html", context, url=reverse("desk"))


def item_page(request: HttpRequest, item: Item, *, status: int = 200, **extra: Any) -> HttpResponse:
    shown = selectors.desk_item(item=item, reviewer=reviewer_of(request))
    seconds = seconds_left(shown.claim)
    context = {
        **item_context(request, shown, held=seconds > 0),
        "seconds_left": seconds,
        "progress": selectors.progress_of(item.queue),
        "undo": undo_offer(request),
        **extra,
    }
    return page(request, "review/item.html", context, url=reverse("review:item", args=[item.pk]), status=status)


def item_context(request: HttpRequest, shown: selectors.DeskItem, *, held: bool) -> dict[str, Any]:
    """What <main> needs of one item; `held`: the reviewer has it in hand, or will when they see it."""
    return {
        "desk": shown,
        "item": shown.item,
        "claim": held,
        "request_key": uuid.uuid4().hex,
        "section": "desk",
        "shortcuts": shortcuts_of(reviewer_of(request).shortcuts),
        "typed": None,
        "read_again": held and getattr(shown.item, "newest_inspection", None) not in (None, shown.item.inspection_id),
    }


def seconds_left(claim: Claim | None) -> int:
    return max(0, int((claim.until - timezone.now()).total_seconds())) if claim else 0


def shown_key(item: Item) -> str:
    return f"{item.pk}/{item.inspection_id}"


def confirmed_page(request: HttpRequest, claim: Claim, made: Decision) -> HttpResponse:
    """What stands around an answer that the script shows already: the bar, the toast and the step back."""
    request.session.pop(TOLD_KEY, None)
    context = {
        "item": claim.item,
        "claim": True,
        "seconds_left": seconds_left(claim),
        "progress": selectors.progress_of(claim.item.queue),
        "undo": {
            "sentence": decision_sentence(made.kind),
            "url": reverse("review:undo", args=[made.pk]),
            "fresh": True,
        },
        "shortcuts": shortcuts_of(reviewer_of(request).shortcuts),
    }
    response = render(request, "review/confirmed.html", context)
    response["X-Shown"] = shown_key(claim.item)
    response["HX-Push-Url"] = reverse("review:item", args=[claim.item_id])
    return response


def lapsed_page(request: HttpRequest, lapsed: ClaimLapsed) -> HttpResponse:
    """409: somebody else has the item. Shows what the reviewer had done, which is kept."""
    own = selectors.standing_decisions(reviewer_of(request)).filter(item=lapsed.item).exists()
    context = {"item": lapsed.item, "draft": lapsed.draft, "own": own, "section": "desk"}
    url = reverse("review:item", args=[lapsed.item.pk])
    return page(request, "review/lapsed.html", context, url=url, status=409)


def shortcuts_of(stored: dict[str, Any]) -> dict[str, Any]:
    from webapp.accounts.shortcuts import keys_of

    return {"on": bool(stored.get("enabled", True)), "keys": keys_of(stored)}


def undo_offer(request: HttpRequest) -> dict[str, Any] | None:
    """What can be taken back next: the reviewer's newest decision of this session that stands.

    `fresh` on the first page after the decision, where a toast tells about it; not again when that page is reloaded.
    """
    told = request.session.pop(TOLD_KEY, None)
    made = request.session.get(UNDO_KEY) or []
    standing = Decision.objects.filter(pk__in=made, undone_at__isnull=True).only("kind")
    newest = max(standing, key=lambda decision: made.index(str(decision.pk)), default=None)
    if newest is None:
        return None
    return {
        "sentence": decision_sentence(newest.kind),
        "url": reverse("review:undo", args=[newest.pk]),
        "fresh": told == str(newest.pk),
    }


def remember(request: HttpRequest, decision: Decision) -> None:
    key = str(decision.pk)
    request.session[UNDO_KEY] = [*_without(request, key), key][-STEPS_BACK:]
    request.session[TOLD_KEY] = key


def _without(request: HttpRequest, key: str) -> list[str]:
    return [made for made in request.session.get(UNDO_KEY) or [] if made != key]


def forget(request: HttpRequest, decision: Decision) -> None:
    """Take a decision off the session's way back."""
    request.session[UNDO_KEY] = _without(request, str(decision.pk))
