"""Addresses of the desk; the start page `desk` itself is named in `webapp.urls`."""

from __future__ import annotations

from django.urls import path

from webapp.review import draft_views, lead_views, views

app_name = "review"
urlpatterns = [
    path("queues/", lead_views.queues, name="queues"),
    path("queues/new/", lead_views.new_queue, name="new_queue"),
    path("queues/<int:queue_id>/", lead_views.queue, name="queue"),
    path("queues/<int:queue_id>/settings/", lead_views.edit_queue, name="edit_queue"),
    path("queues/<int:queue_id>/pause/", lead_views.pause, name="pause"),
    path("queues/<int:queue_id>/guidelines/", lead_views.guidelines, name="guidelines"),
    path("disagreements/", lead_views.disagreements, name="disagreements"),
    path("items/<uuid:item_id>/settle/", lead_views.resolve, name="resolve"),
    path("items/<uuid:item_id>/settle/undo/", lead_views.clear_gold, name="clear_gold"),
    path("gold/", lead_views.gold, name="gold"),
    path("aside/", lead_views.aside, name="aside"),
    path("queues/<int:queue_id>/next/", views.next_item, name="next"),
    path("items/<uuid:item_id>/", views.item, name="item"),
    path("items/<uuid:item_id>/ahead/", views.ahead, name="ahead"),
    path("items/<uuid:item_id>/claim/", views.claim, name="claim"),
    path("items/<uuid:item_id>/renew/", views.renew, name="renew"),
    path("items/<uuid:item_id>/release/", views.release, name="release"),
    path("items/<uuid:item_id>/decide/", views.decide, name="decide"),
    path("items/<uuid:item_id>/verdict/", draft_views.verdict, name="verdict"),
    path("items/<uuid:item_id>/choose/", draft_views.choose, name="choose"),
    path("items/<uuid:item_id>/draft/", draft_views.draft, name="draft"),
    path("items/<uuid:item_id>/recheck/", draft_views.recheck, name="recheck"),
    path("items/<uuid:item_id>/marks/", draft_views.add_mark, name="add_mark"),
    path("items/<uuid:item_id>/marks/<int:start>/remove/", draft_views.remove_mark, name="remove_mark"),
    path("items/<uuid:item_id>/reveal/", draft_views.reveal, name="reveal"),
    path("items/<uuid:item_id>/newer/", draft_views.newer, name="newer"),
    path("decisions/<uuid:decision_id>/undo/", views.undo, name="undo"),
]
