from django.urls import path

from webapp.webhooks import views

app_name = "webhooks"
ROOM = "projects/<slug:project_slug>/webhooks/"
urlpatterns = [
    path(ROOM, views.webhooks, name="list"),
    path(f"{ROOM}<uuid:webhook_id>/", views.webhook, name="webhook"),
    path(f"{ROOM}<uuid:webhook_id>/change/", views.change, name="change"),
    path(f"{ROOM}<uuid:webhook_id>/secret/", views.renew, name="renew"),
    path(f"{ROOM}<uuid:webhook_id>/delete/", views.delete, name="delete"),
    path(f"{ROOM}<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again/", views.redeliver, name="redeliver"),
]
