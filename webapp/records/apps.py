from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "webapp.records"
    label = "records"
    default_auto_field = "django.db.models.BigAutoField"
