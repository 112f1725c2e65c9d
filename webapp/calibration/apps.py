from django.apps import AppConfig


class CalibrationConfig(AppConfig):
    name = "webapp.calibration"
    label = "calibration"
    default_auto_field = "django.db.models.BigAutoField"
