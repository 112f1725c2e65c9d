from django.urls import path

from webapp.judges import views

app_name = "judges"
urlpatterns = [
    path("judges/", views.settings, name="settings"),
    path("judges/begin/", views.begin, name="begin"),
    path("judges/fit/", views.fit, name="fit"),
    path("judges/labels/", views.labels, name="audit"),
    path("judges/labels/<int:doubt_id>/", views.settle, name="settle"),
    path("judges/rounds/<uuid:round_id>/", views.round_page, name="round"),
    path("judges/rounds/<uuid:round_id>/cancel/", views.cancel, name="cancel"),
]
