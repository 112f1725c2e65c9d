"""``manage.py recount``: make the counts of the insights pages anew, or see whether they are right."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.records import tallies


class Command(BaseCommand):
    help = "Count everything anew; writers wait meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, say whether the counts are right")

    def handle(self, *, check: bool, **options: object) -> None:
        if check:
            kept, counted = tallies.kept(), tallies.counted()
            wrong = [key for key in kept.keys() | counted.keys() if kept.get(key, 0) != counted.get(key, 0)]
            if wrong:
                raise CommandError(f"{len(wrong)} of {len(counted)} counts are wrong, such as {min(wrong)}")
            if items := tallies.items_wrong():
                raise CommandError(f"{items} items do not say how many people decided on them, or whether they differ")
            if rows := tallies.repeated_wrong():
                raise CommandError(f"{rows} decisions or answers do not repeat what their item or observations say")
            self.stdout.write(f"All {len(counted)} counts are right.")
            return
        tallies.install()
        tallies.recount()
        self.stdout.write("Counted anew.")
