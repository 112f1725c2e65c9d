"""What people can set about themselves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.utils.translation import gettext_lazy as _

from webapp.accounts.models import User
from webapp.accounts.shortcuts import ACTIONS, keys_of


class LogInForm(AuthenticationForm):
    """Name and password; a name longer than any account's is turned down before anybody looks it up or notes it."""

    username = UsernameField(
        max_length=User._meta.get_field("username").max_length, widget=forms.TextInput(attrs={"autofocus": True})
    )


class ProfileForm(forms.ModelForm):
    """Language, theme and keys. Each key is one character and does one thing."""

    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    theme = forms.ChoiceField(
        label=_("Theme"), choices=[("auto", _("As the system")), ("light", _("Light")), ("dark", _("Dark"))]
    )
    shortcuts_on = forms.BooleanField(label=_("Single-key shortcuts"), required=False)

    class Meta:
        model = User
        fields = ("language", "theme")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["shortcuts_on"].initial = self.instance.shortcuts.get("enabled", True)
        for action, key in keys_of(self.instance.shortcuts).items():
            widget = forms.TextInput(attrs={"size": 2, "class": "key", "autocomplete": "off", "autocapitalize": "off"})
            self.fields[f"key_{action}"] = forms.CharField(
                label=str(ACTIONS[action][1]), max_length=1, min_length=1, initial=key, widget=widget
            )

    def key_fields(self) -> list[forms.BoundField]:
        return [self[f"key_{action}"] for action in ACTIONS]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        taken: dict[str, str] = {}
        for action in ACTIONS:
            key = str(cleaned.get(f"key_{action}", ""))
            if key and key in taken:
                self.add_error(f"key_{action}", _("“%(key)s” is taken already.") % {"key": key})
            taken[key] = action
        return cleaned

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        keys = {action: self.cleaned_data[f"key_{action}"] for action in ACTIONS}
        own = {action: key for action, key in keys.items() if key != ACTIONS[action][0]}
        user.shortcuts = {"enabled": self.cleaned_data["shortcuts_on"], "keys": own}
        if commit:
            user.save(update_fields=["language", "theme", "shortcuts"])
        return user
