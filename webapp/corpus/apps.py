from django.apps import AppConfig


class CorpusConfig(AppConfig):
    name = "webapp.corpus"
    label = "corpus"
    default_auto_field = "django.db.models.BigAutoField"
