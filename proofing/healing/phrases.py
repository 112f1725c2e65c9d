"""The few sentences the healer writes itself: what was left out, what a quotation is, and the safe decline.

They say only what the healer did. They are data per language, so a healed answer can be read again without
its own notes being taken for claims.
"""

from __future__ import annotations

from typing import Literal

SourceKind = Literal["data", "documentation", "source"]

DECLINES: dict[str, str] = {
    "en": "I can't give you an answer to this that the sources back.",
    "es": "No puedo dar una respuesta que las fuentes respalden.",
    "de": "Darauf kann ich keine Antwort geben, die durch die Quellen gedeckt ist.",
    "fr": "Je ne peux pas donner de réponse que les sources confirment.",
    "it": "Non posso dare una risposta che le fonti confermino.",
    "pt": "Não posso dar uma resposta que as fontes confirmem.",
    "ru": "Я не могу дать ответ, который подтверждают источники.",
}
#: Language -> (one statement left out, several left out).
REMOVAL_NOTES: dict[str, tuple[str, str]] = {
    "en": (
        "(One statement was left out because the sources do not back it.)",
        "(Some statements were left out because the sources do not back them.)",
    ),
    "es": (
        "(Se omitió una afirmación porque las fuentes no la respaldan.)",
        "(Se omitieron algunas afirmaciones porque las fuentes no las respaldan.)",
    ),
    "de": (
        "(Eine Aussage wurde weggelassen, weil die Quellen sie nicht stützen.)",
        "(Einige Aussagen wurden weggelassen, weil die Quellen sie nicht stützen.)",
    ),
    "fr": (
        "(Une affirmation a été retirée, car les sources ne la confirment pas.)",
        "(Quelques affirmations ont été retirées, car les sources ne les confirment pas.)",
    ),
    "it": (
        "(Un'affermazione è stata tolta perché le fonti non la confermano.)",
        "(Alcune affermazioni sono state tolte perché le fonti non le confermano.)",
    ),
    "pt": (
        "(Uma afirmação foi retirada porque as fontes não a confirmam.)",
        "(Algumas afirmações foram retiradas porque as fontes não as confirmam.)",
    ),
    "ru": (
        "(Одно утверждение опущено: источники его не подтверждают.)",
        "(Некоторые утверждения опущены: источники их не подтверждают.)",
    ),
}
PREFIXES: dict[str, dict[SourceKind, str]] = {
    "en": {"data": "The data say: ", "documentation": "The documentation says: ", "source": "The source says: "},
    "es": {"data": "Los datos dicen: ", "documentation": "La documentación dice: ", "source": "La fuente dice: "},
    "de": {"data": "Die Daten sagen: ", "documentation": "Die Dokumentation sagt: ", "source": "Die Quelle sagt: "},
    "fr": {
        "data": "Selon les données : ",
        "documentation": "Selon la documentation : ",
        "source": "Selon la source : ",
    },
    "it": {
        "data": "I dati dicono: ",
        "documentation": "La documentazione dice: ",
        "source": "La fonte dice: ",
    },
    "pt": {"data": "Os dados dizem: ", "documentation": "A documentação diz: ", "source": "A fonte diz: "},
    "ru": {"data": "Согласно данным: ", "documentation": "Согласно документации: ", "source": "Согласно источнику: "},
}


def decline(language: str) -> str:
    """The text that is served when nothing can be said safely."""
    return DECLINES.get(language, DECLINES["en"])


def removal_note(language: str, removals: int) -> str:
    """The sentence that says something was left out."""
    one, several = REMOVAL_NOTES.get(language, REMOVAL_NOTES["en"])
    return one if removals == 1 else several


def rewrite_prefix(language: str, kind: SourceKind) -> str:
    """The words before quoted source sentences, with the space that follows them."""
    return PREFIXES.get(language, PREFIXES["en"])[kind]


_SENTENCES = frozenset(DECLINES.values()) | {note for pair in REMOVAL_NOTES.values() for note in pair}
_PREFIXES = tuple(sorted({p for by_kind in PREFIXES.values() for p in by_kind.values()}))


def is_own_phrase(sentence: str) -> bool:
    """Whether a sentence is one of the healer's own notes or its decline (outer space ignored).

    >>> is_own_phrase(" " + removal_note("en", 1)), is_own_phrase("The sources agree.")
    (True, False)
    """
    return sentence.strip() in _SENTENCES


def own_prefix(text: str) -> str:
    """The rewrite prefix that `text` starts with, or the empty string.

    >>> own_prefix("The source says: We open at nine.")
    'The source says: '
    """
    return next((prefix for prefix in _PREFIXES if text.startswith(prefix)), "")


def without_own_phrases(text: str) -> str:
    """`text` less the healer's own notes and prefix: what there is to inspect again."""
    for sentence in sorted(_SENTENCES):
        if sentence in text:
            text = text.replace(sentence, "").rstrip()
    return text.removeprefix(own_prefix(text))
