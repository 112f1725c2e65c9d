from django.urls import path

from webapp.intake import views

app_name = "intake"
urlpatterns = [
    path("imports/", views.imports, name="imports"),
    path("imports/<uuid:batch_id>/", views.import_page, name="import"),
    path("imports/<uuid:batch_id>/columns/", views.name_columns, name="columns"),
    path("imports/<uuid:batch_id>/cancel/", views.cancel, name="cancel"),
    path("imports/<uuid:batch_id>/resume/", views.resume, name="resume"),
    path("imports/<uuid:batch_id>/faults/", views.faults, name="faults"),
]
