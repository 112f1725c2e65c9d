from django.urls import path

from webapp.corpus import views

app_name = "corpus"
AT = "projects/<slug:project_slug>/corpus/"
urlpatterns = [
    path(AT, views.corpus, name="corpus"),
    path(f"{AT}build/", views.build, name="build"),
    path(f"{AT}stop/", views.stop, name="stop"),
    path(f"{AT}again/", views.read_again, name="again"),
    path(f"{AT}clear/", views.clear, name="clear"),
    path(f"{AT}<uuid:document_id>/", views.document, name="document"),
    path(f"{AT}<uuid:document_id>/replace/", views.replace, name="replace"),
    path(f"{AT}<uuid:document_id>/delete/", views.delete, name="delete"),
    path(f"{AT}uploads/<uuid:upload_id>/", views.upload, name="upload"),
    path(f"{AT}uploads/<uuid:upload_id>/cancel/", views.cancel, name="cancel"),
    path(f"{AT}uploads/<uuid:upload_id>/resume/", views.resume, name="resume"),
    path(f"{AT}uploads/<uuid:upload_id>/faults/", views.faults, name="faults"),
]
