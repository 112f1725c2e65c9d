from django.apps import AppConfig


class JudgesConfig(AppConfig):
    name = "webapp.judges"
    label = "judges"
    default_auto_field = "django.db.models.BigAutoField"
