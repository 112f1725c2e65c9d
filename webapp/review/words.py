"""Sentences the desk says about decisions, in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from webapp.review.models import Decision

_SENTENCES: dict[str, Promise] = {
    Decision.Kind.ACCEPT_HEALED: gettext_lazy("Healed answer accepted."),
    Decision.Kind.ACCEPT_EDITED: gettext_lazy("Your edited answer is kept."),
    Decision.Kind.KEEP: gettext_lazy("Original kept."),
    Decision.Kind.REJECT: gettext_lazy("Answer rejected."),
    Decision.Kind.SKIP: gettext_lazy("Skipped: somebody else will see it."),
    Decision.Kind.FLAG: gettext_lazy("Flagged for a lead."),
}


def decision_sentence(kind: str) -> str:
    """What was just done, as the toast says it."""
    return str(_SENTENCES.get(kind, _("Done.")))
