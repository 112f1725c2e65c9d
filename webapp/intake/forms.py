from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from webapp.intake.readers import FORMATS, format_of
from webapp.records.models import Project
from webapp.review.models import Queue


class UploadForm(forms.Form):
    """A file of answers, how to read it, and where its answers should wait."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,  # an empty one is refused with our own words
        help_text=_(
            "One answer a line, with its question and sources: JSON Lines (our own or Ragas' names), CSV or TSV."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=[("", _("as the file's name says")), *FORMATS.items()],
    )
    queue = forms.ModelChoiceField(label=_("Queue"), required=False, queryset=Queue.objects.none())

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        queues = Queue.objects.filter(project=project).order_by("pk")
        self.fields["queue"].queryset = queues  # type: ignore[attr-defined]
        self.fields["queue"].empty_label = _("the project's first") if not queues else None  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("file") and not data.get("format"):
            data["format"] = format_of(data["file"].name or "")
            if data["format"] is None:
                self.add_error("format", _("The file's name does not say what it is; choose the format."))
        return data
