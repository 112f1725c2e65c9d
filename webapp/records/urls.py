from django.urls import path

from webapp.records import views

app_name = "records"
urlpatterns = [
    path("answers/", views.answers, name="answers"),
    path("answers/<uuid:answer_id>/", views.answer, name="answer"),
    path("answers/<uuid:answer_id>/retry/", views.retry, name="retry"),
]
