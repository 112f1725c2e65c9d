"""Forms of the pages on which a project is run."""

from __future__ import annotations

from typing import Any

from babel import Locale, UnknownLocaleError
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from proofing.settings import PROFILES, Settings
from webapp.accounts.models import ApiToken, Membership
from webapp.records.models import MOST_PASSAGES, Project
from webapp.records.projects import THRESHOLDS

ROLES = [
    (Membership.Role.REVIEWER, _("reviewer")),
    (Membership.Role.LEAD, _("lead")),
    (Membership.Role.ADMIN, _("admin")),
]
ROLE_HELP = _(
    "A reviewer decides on answers. A lead also runs queues, labels, calibration and exports. "
    "An admin also runs members, tokens and the project itself."
)
PASSWORD_HELP = _("At least 10 characters, not only figures, and none of the common passwords.")
PROFILE_WORDS: dict[str, Promise] = {
    "general": _("general"),
    "strict": _("strict: fewer unbacked claims get through, more is marked"),
    "conversational": _("conversational: for talk, where not every sentence is a claim"),
}
TIER_WORDS: dict[str, Promise] = {
    "fast": _("fast: values, words and rules"),
    "standard": _("standard: names and the support model as well"),
    "deep": _("deep: sentence meanings as well; the slowest"),
}
THRESHOLD_WORDS: dict[str, tuple[Promise, Promise]] = {
    "mark_cut": (
        _("Draw a mark from"),
        _("Probability from which a word is drawn as a mark. Lower draws more. A calibrated mark point overrides it."),
    ),
    "caution": (
        _("Heal alone from"),
        _("How sure an edit must be to be made without a person. Less sure ones are only proposed."),
    ),
    "faithfulness_threshold": (
        _("Claims that must be backed"),
        _("Share of an answer’s claims that the sources must back, or the answer counts as unfaithful."),
    ),
    "claim_overlap_threshold": (
        _("Words that back a claim"),
        _("Share of a claim’s content words that must stand in the sources."),
    ),
    "confidence_threshold": (
        _("Confident wording from"),
        _("How confident an unfaithful answer must sound to be called confident but not backed."),
    ),
    "drift_threshold": (
        _("Drifted from"),
        _("Distance from earlier answers to the same question above which an answer has drifted."),
    ),
    "verification_alpha": (
        _("Weight of the answer (α)"),
        _("0 to 1. Verification score = α × likeness of the answer to its best source + (1 − α) × the question’s."),
    ),
    "verification_threshold": (
        _("Flag below (τ)"),
        _(
            "0 to 1. A lower verification score triggers the check. Empty: it is shown and triggers nothing. The "
            "score alone hardly tells wrong answers from right ones: set this only when your own labels speak for it."
        ),
    ),
}
#: They stand with the corpus.
VERIFICATION = ("verification_alpha", "verification_threshold")
METHOD_WORDS: dict[str, Promise] = {
    "tfidf": _("by words (TF-IDF): quick"),
    "dense": _("by meaning (sentence encoder): the index takes longer to make"),
    "hybrid": _("by both, joined by rank"),
}


class ShareField(forms.FloatField):
    """A number from 0 to 1."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.NumberInput({"step": "0.01", "min": "0", "max": "1"})
        super().__init__(min_value=0, max_value=1, widget=widget, **kwargs)


class PercentField(forms.FloatField):
    """A share from 0 to 1 that people type as a percentage."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.NumberInput({"step": "any", "min": "0", "max": "100"})
        super().__init__(min_value=0, max_value=100, widget=widget, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return round(value * 100, 4) if isinstance(value, float) else value

    def clean(self, value: Any) -> float | None:
        percent = super().clean(value)
        return None if percent is None else round(percent / 100, 6)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)


def _decisions(count: int) -> tuple[int, str]:
    return count, str(count)


class ReviewDefaultsMixin(forms.Form):
    """What a project gives to new queues, and what each queue sets for itself."""

    slots = forms.TypedChoiceField(
        label=_("Decisions for each answer"),
        coerce=int,
        choices=[_decisions(n) for n in range(1, 6)],
        help_text=_("How many different people decide on each answer. Two or more show how far reviewers agree."),
    )
    blind = forms.BooleanField(
        label=_("Blind review"),
        required=False,
        help_text=_("What others decided on an answer stays hidden until one’s own decision is in."),
    )
    audit_share = PercentField(
        label=_("Audit share, in per cent"),
        help_text=_(
            "How many of the answers hide their marks until the reviewer has marked. They show what the machine "
            "misses, so a few are worth the time; 0 asks for none."
        ),
    )


class ProjectForm(ReviewDefaultsMixin):
    """A new project, or the settings of one."""

    name = forms.CharField(label=_("Name"), max_length=100)
    profile = forms.ChoiceField(
        label=_("Profile"),
        choices=[(name, PROFILE_WORDS[name]) for name in PROFILES],
        help_text=_("A named set of thresholds for the checks."),
    )
    tier = forms.ChoiceField(
        label=_("Tier"),
        choices=list(TIER_WORDS.items()),
        help_text=_("How much machinery reads each answer."),
    )
    locale = forms.CharField(
        label=_("Language of the answers"),
        max_length=35,
        help_text=_(
            "A tag such as en, en-GB, es or de-CH: it decides whether 1.234 is a thousand. "
            "“und” leaves it to each document. An answer that names its own language keeps it."
        ),
    )
    corpus_method = forms.ChoiceField(
        label=_("Passages are found"),
        required=False,
        choices=list(METHOD_WORDS.items()),
        help_text=_(
            "Until the index holds meanings, passages are found by words. What was used is shown with each answer."
        ),
    )
    corpus_k = forms.IntegerField(
        label=_("How many passages (k)"),
        required=False,
        min_value=1,
        max_value=MOST_PASSAGES,
        help_text=_(
            "1 to 20. An answer is read against so many, those nearest to it and its question. More take longer."
        ),
    )
    retention_days = forms.IntegerField(
        label=_("Delete answers after so many days"),
        required=False,
        min_value=1,
        max_value=36_500,
        help_text=_(
            "Counted from the day an answer came; its decisions go with it. Answers in a frozen labelled set stay. "
            "Empty keeps everything."
        ),
    )
    confirmed = forms.BooleanField(label=_("Yes, delete them"), required=False)
    spread = forms.BooleanField(label=_("Set this for the queues there are, too"), required=False)

    def __init__(self, data: Any = None, *, project: Project | None = None) -> None:
        self.project = project or Project()
        kept = {name: getattr(self.project, name) for name in self.base_fields if hasattr(self.project, name)}
        kept |= {f"threshold_{name}": value for name, value in self.project.thresholds.items()}
        super().__init__(data, initial=kept)
        usual = Settings.for_profile(self.project.profile or "general")
        for name in THRESHOLDS:
            label, help_text = THRESHOLD_WORDS[name]
            field = ShareField(label=label, help_text=help_text, required=False)
            standard = getattr(usual, name)
            field.widget.attrs["placeholder"] = "" if standard is None else f"{standard:g}"
            self.fields[f"threshold_{name}"] = field
        self.asks_to_delete = 0

    def threshold_fields(self) -> list[forms.BoundField]:
        return [self[f"threshold_{name}"] for name in THRESHOLDS if name not in VERIFICATION]

    def corpus_fields(self) -> list[forms.BoundField]:
        """What counts for answers without sources."""
        return [self["corpus_method"], self["corpus_k"], *(self[f"threshold_{name}"] for name in VERIFICATION)]

    def has_thresholds(self) -> bool:
        """Whether the page opens on them: one is set, or one has to be mended."""
        own = set(self.project.thresholds) - set(VERIFICATION)
        return bool(own) or any(field.errors for field in self.threshold_fields())

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if not any(sign.isalnum() for sign in name):
            raise forms.ValidationError(_("The name needs a letter or a figure."))
        return name

    def clean_locale(self) -> str:
        tag = str(self.cleaned_data["locale"])
        if tag != "und":
            try:
                Locale.parse(tag.replace("-", "_"))
            except (ValueError, UnknownLocaleError):
                raise forms.ValidationError(
                    _("This is no known language tag. Write en, en-GB, es …, or und.")
                ) from None
        return tag

    def fields_of_project(self) -> dict[str, Any]:
        """What the services take. Call it on a valid form."""
        data = self.cleaned_data
        names = ("name", "profile", "tier", "locale", "slots", "blind", "audit_share", "retention_days")
        thresholds = {n: data[f"threshold_{n}"] for n in THRESHOLDS if data.get(f"threshold_{n}") is not None}
        fields = {name: data[name] for name in names} | {"thresholds": thresholds}
        return fields | {name: data[name] for name in ("corpus_method", "corpus_k") if data.get(name)}


class InviteForm(forms.Form):
    """An invitation by link."""

    invite_role = forms.ChoiceField(label=_("Role"), choices=ROLES, help_text=ROLE_HELP)
    note = forms.CharField(
        label=_("For whom"),
        required=False,
        max_length=150,
        help_text=_("Only for you, to tell open invitations apart."),
    )


class MemberForm(forms.Form):
    """A new account with a password that its owner changes after the first log-in."""

    username = forms.CharField(label=_("User name"), max_length=150, widget=forms.TextInput({"autocomplete": "off"}))
    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=PASSWORD_HELP,
    )
    role = forms.ChoiceField(label=_("Role"), choices=ROLES)


class JoinForm(forms.Form):
    """An account made by somebody who was invited."""

    username = forms.CharField(
        label=_("User name"), max_length=150, widget=forms.TextInput({"autocomplete": "username"})
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=PASSWORD_HELP,
    )
    again = forms.CharField(
        label=_("Password again"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("password") and cleaned.get("again") and cleaned["password"] != cleaned["again"]:
            self.add_error("again", _("The two passwords differ."))
        return cleaned


SCOPES: dict[str, Promise] = {
    "proofread": _("proofread: have an answer proofread without storing it"),
    "read": _("read: answers, reports, the queue"),
    "write": _("write: send and delete answers, import files"),
    "review": _("review: claim and decide"),
    "export": _("export: make and fetch exports"),
}


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("Which program uses it, so that it can be revoked alone.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope, SCOPES.get(scope, scope)) for scope in ApiToken.Scope.values],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick at least one.")},
    )
