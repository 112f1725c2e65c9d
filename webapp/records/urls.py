from django.urls import path

from webapp.records import bulk_views, views

app_name = "records"
urlpatterns = [
    path("answers/", views.answers, name="answers"),
    path("answers/bulk/", bulk_views.bulk_change, name="bulk"),
    path("answers/changes/", bulk_views.changes, name="changes"),
    path("answers/changes/<uuid:change_id>/undo/", bulk_views.undo_change, name="undo_change"),
    path("answers/<uuid:answer_id>/", views.answer, name="answer"),
    path("answers/<uuid:answer_id>/retry/", views.retry, name="retry"),
]
