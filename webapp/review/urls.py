"""Addresses of the desk; the start page `desk` itself is named in `webapp.urls`."""

from __future__ import annotations

from django.urls import path

from webapp.review import views

app_name = "review"
urlpatterns = [
    path("queues/", views.queues, name="queues"),
    path("queues/<int:queue_id>/next/", views.next_item, name="next"),
    path("items/<uuid:item_id>/", views.item, name="item"),
    path("items/<uuid:item_id>/claim/", views.claim, name="claim"),
    path("items/<uuid:item_id>/renew/", views.renew, name="renew"),
    path("items/<uuid:item_id>/release/", views.release, name="release"),
    path("items/<uuid:item_id>/decide/", views.decide, name="decide"),
    path("items/<uuid:item_id>/verdict/", views.verdict, name="verdict"),
    path("items/<uuid:item_id>/choose/", views.choose, name="choose"),
    path("items/<uuid:item_id>/draft/", views.draft, name="draft"),
    path("items/<uuid:item_id>/recheck/", views.recheck, name="recheck"),
    path("items/<uuid:item_id>/marks/", views.add_mark, name="add_mark"),
    path("items/<uuid:item_id>/marks/<int:start>/remove/", views.remove_mark, name="remove_mark"),
    path("items/<uuid:item_id>/reveal/", views.reveal, name="reveal"),
    path("decisions/<uuid:decision_id>/undo/", views.undo, name="undo"),
]
