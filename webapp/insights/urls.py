from django.urls import path

from webapp.insights import views

app_name = "insights"
urlpatterns = [
    path("insights/", views.home, name="home"),
    path("insights/drift/", views.drift, name="drift"),
    path("insights/reviewers/", views.reviewers, name="reviewers"),
    path("insights/agreement/", views.agreement, name="agreement"),
    path("insights/workers/", views.workers, name="workers"),
]
