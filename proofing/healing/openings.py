"""What opens a sentence follows an edit: the capital of its first word, and the "Yes" or "No" that the edit turned.

>>> yes_or_no("Yes, it is free.", 0, "en").group("word")
'Yes'
>>> yes_or_no("No se permite fumar.", 0, "es") is None  # a denial, not an answer
True
"""

from __future__ import annotations

import re

from proofing.documents import Sentence
from proofing.report import Edit, Mark
from proofing.support.reading import Proof, TextView
from proofing.support.stems import stem_of

#: Language -> (yes, no).
ANSWERS: dict[str, tuple[str, str]] = {
    "en": ("yes", "no"), "es": ("sí", "no"), "de": ("ja", "nein"), "fr": ("oui", "non"), "it": ("sì", "no"),
    "pt": ("sim", "não"), "ru": ("да", "нет"),
}  # fmt: skip
_OPENING = re.compile(r"[\s*_¡\"'“«]{0,8}(?P<word>[^\W\d_]{2,4})[*_]{0,3}\s?[,.!;:–—-]")
_DENIES = re.compile(
    r"\b(?:not|no|never|none|cannot|without|nicht|keine?[nmrs]?|nie|nunca|ne|pas|jamais|non|mai|não|не|нет|нельзя)\b"
    r"|n['’]t\b|\bn['’]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
#: Signs that may stand between what goes and the word that opens the sentence then.
_SIGNS_AHEAD = re.compile(r"[\s*_\"'“«(¡¿]{0,8}")
#: A French denial has two halves with the verb between them: "ne sont pas", "n'est jamais".
_FRENCH_SECOND = frozenset(("pas", "jamais", "point"))
_FRENCH_FIRST = re.compile(r"\b(?:ne[ \u00a0]|n['’])(?=(?:[^\W\d_]+(?:['’][^\W\d_]+)?[ \u00a0]){0,2}\Z)", re.IGNORECASE)
#: "pas de repas" would leave "comprend de repas".
_PARTITIVE = re.compile(r"\s*(?:de\b|d['’])", re.IGNORECASE)


def yes_or_no(text: str, start: int, language: str) -> re.Match[str] | None:
    """The "Yes" or "No" that a sentence starting at `start` opens with; None where it opens with none."""
    found = _OPENING.match(text, start)
    return found if found and found.group("word").casefold() in ANSWERS.get(language, ()) else None


def opening_children(proof: Proof, edit: Edit, index: int, mark: Mark) -> list[Edit]:
    """Children of a correction that turns a statement or takes out its first word.

    Args:
        proof: the texts.
        edit: the correction of `mark`.
        index: the place of `edit` in its plan.
        mark: the mark that caused it.
    """
    children = []
    if mark.kind == "negation":
        children += _answer_turned(proof, edit, index)
        children += _first_half(proof.answer, edit, index)
    if not edit.new:
        children += _capital(proof.answer, edit, index)
    return children


def _capital(answer: TextView, edit: Edit, index: int) -> list[Edit]:
    """The first letter behind a capitalised word that goes from the start of its sentence."""
    sentence = answer.sentence_at(edit.start)
    first = next((c for c in edit.old if c.isalnum()), "")
    if sentence is None or not first.isupper() or any(c.isalnum() for c in answer.text[sentence.start : edit.start]):
        return []
    signs = _SIGNS_AHEAD.match(answer.text, edit.end)
    at = signs.end() if signs else edit.end
    letter = answer.text[at : at + 1]
    if not letter.islower() or at >= sentence.end:
        return []
    return [Edit(at, at + 1, letter, letter.upper(), "agreement", (), index, edit.origin)]


def _answer_turned(proof: Proof, edit: Edit, index: int) -> list[Edit]:
    answer = proof.answer
    found = _opening_of(answer, edit)
    if found is None:
        return []
    yes, no = ANSWERS[answer.language]
    word = found.group("word")
    says_yes = word.casefold() == yes
    before, after = (bool(_DENIES.search(text)) for text in (edit.old, edit.new))
    if before != after:
        turned = says_yes == after  # "Yes, it is" -> "it is not"; "No, it is not" -> "it is"
    else:
        asked = {proof.question.stems[i] for i in range(len(proof.question.stems)) if proof.question.content[i]}
        turned = bool(asked & _stems(edit.old if says_yes else edit.new, answer.language))
    if not turned:
        return []
    new = no if says_yes else yes
    new = new.upper() if word.isupper() else new.capitalize() if word[0].isupper() else new
    return [Edit(found.start("word"), found.end("word"), word, new, "agreement", (), index, edit.origin)]


def _opening_of(answer: TextView, edit: Edit) -> re.Match[str] | None:
    """The "Yes" of the edit's own sentence, or one that stands alone right before it."""
    at = answer.sentence_index_at(edit.start)
    if at is None:
        return None
    own = yes_or_no(answer.text, answer.sentences[at].start, answer.language)
    if own is not None or at == 0:
        return own if own is None or own.end("word") <= edit.start else None
    before = answer.sentences[at - 1]
    return yes_or_no(answer.text, before.start, answer.language) if _single_word(before) else None


def _single_word(sentence: Sentence) -> bool:
    return len(_WORD.findall(sentence.text)) == 1


def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stem_of(word.casefold(), language) for word in _WORD.findall(text))


def french_denial(answer: TextView, mark: Mark) -> re.Match[str] | None:
    """The first half of a French denial whose second half is marked; None where taking both out leaves no sentence."""
    if answer.language != "fr" or mark.text.casefold() not in _FRENCH_SECOND or _PARTITIVE.match(answer.text, mark.end):
        return None
    return _FRENCH_FIRST.search(answer.text, max(0, mark.start - 40), mark.start)


def _first_half(answer: TextView, edit: Edit, index: int) -> list[Edit]:
    if edit.new or answer.language != "fr":
        return []
    second = edit.old.strip()
    mark_start = edit.start + edit.old.index(second)
    if second.casefold() not in _FRENCH_SECOND:
        return []
    found = _FRENCH_FIRST.search(answer.text, max(0, mark_start - 40), mark_start)
    return [] if found is None else [Edit(*found.span(), found.group(), "", "agreement", (), index, edit.origin)]
