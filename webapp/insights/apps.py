from django.apps import AppConfig


class InsightsConfig(AppConfig):
    name = "webapp.insights"
    label = "insights"
    default_auto_field = "django.db.models.BigAutoField"
