from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from proofing.exchange.documents import FORMATS

#: Files that one press may send.
MOST_FILES = 50
FORMAT_WORDS = {"text": _("text or Markdown: each file is one document")}


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files of one input."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = data if isinstance(data, list | tuple) else [data]
        cleaned = [super(FilesField, self).clean(one, initial) for one in files] or [super().clean(None, initial)]
        if len(cleaned) > MOST_FILES:
            raise forms.ValidationError(
                _("At most %(n)s files at once; put more into one JSON Lines file.") % {"n": MOST_FILES}
            )
        return cleaned


class UploadForm(forms.Form):
    """Files of documents, and how to read them."""

    documents = FilesField(
        label=_("Files"),
        allow_empty_file=True,  # an empty one is refused with our own words
        help_text=_(
            "Plain text or Markdown, one document a file; or JSON Lines, CSV or TSV with id and text, and where you "
            "have them title and url. UTF-8."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=[("", _("as each file’s name says")), *((n, FORMAT_WORDS.get(n, t)) for n, t in FORMATS.items())],
    )


class ReplaceForm(forms.Form):
    """A new text for one document: typed, or a file."""

    #: The text the writer saw, by its SHA-256.
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    file = forms.FileField(
        label=_("New text, from a file"),
        required=False,
        allow_empty_file=True,
        help_text=_("A text or Markdown file in UTF-8. The document keeps its id."),
    )
    text = forms.CharField(
        label=_("Or type it"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"})
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and not given.get("file") and not (given.get("text") or "").strip():
            self.add_error("file", _("Choose a file, or type the text."))
        return given
