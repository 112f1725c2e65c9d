from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class RecordsConfig(AppConfig):
    name = "webapp.records"
    label = "records"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from webapp.records import tallies

        pre_migrate.connect(tallies.before_migrations, sender=self)
        post_migrate.connect(tallies.after_migrations, sender=self)
