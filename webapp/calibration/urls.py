from django.urls import path

from webapp.calibration import refit_views, views

app_name = "calibration"
urlpatterns = [
    path("sets/", views.sets, name="sets"),
    path("sets/<int:set_id>/", views.labelled_set, name="set"),
    path("sets/<int:set_id>/compare/", views.compare_sets, name="compare"),
    path("runs/<int:run_id>/", views.run, name="run"),
    path("runs/<int:run_id>/items/", views.run_items, name="run_items"),
    path("runs/<int:run_id>/choose/", views.choose, name="choose"),
    path("points/<int:point_id>/activate/", views.activate, name="activate"),
    path("models/", refit_views.models, name="models"),
    path("models/shipped/", refit_views.use_shipped, name="use_shipped"),
    path("models/<int:model_id>/use/", refit_views.use, name="use_model"),
    path("models/<int:model_id>/file/", refit_views.download, name="model_file"),
    path("refits/<int:refit_id>/", refit_views.refit, name="refit"),
    path("refits/<int:refit_id>/cancel/", refit_views.cancel, name="cancel_refit"),
    path("exports/", views.exports, name="exports"),
    path("exports/<uuid:export_id>/", views.export, name="export"),
    path("exports/<uuid:export_id>/file/", views.download, name="download"),
    path("exports/<uuid:export_id>/manifest/", views.manifest, name="manifest"),
]
