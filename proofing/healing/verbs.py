"""The verb after a denial that was taken back, and the preposition after an opposite that was put right.

"does not include" without its denial is "includes", not "does include"; "excluded from" put right is "included in". The
verb's form is the source's own where it has one. English only, as all grammar here.
"""

from __future__ import annotations

import re

from proofing.healing.grammar import third_person
from proofing.healing.receipts import receipt_sentence
from proofing.report import Edit, Mark
from proofing.support.reading import Proof, TextView

#: "do", "does", "did", alone or with a contracted denial.
_HELPER = re.compile(r"(do|does|did)(?:n['’]t)?\Z", re.IGNORECASE)
_HELPER_BEFORE = re.compile(r"\b(do|does|did)([ \u00a0][*_]*)\Z", re.IGNORECASE)
_VERB_BEHIND = re.compile(r"[ \u00a0*_]*([^\W\d_]+)")
#: Opposites that stand with different prepositions, by the preposition.
_JOINED = {"in": "from", "from": "in"}
_CONTAINED = re.compile(r"(?:in|ex)clud(?:e|ed|es|ing)\Z", re.IGNORECASE)
_PREPOSITION_BEHIND = re.compile(r"[ \u00a0*_]+(in|from)\b(?![ \u00a0]+\d)", re.IGNORECASE)
#: Verbs that read like auxiliaries and can stand alone.
_FULL_VERBS = frozenset(("need", "have"))
_BE = frozenset("be is are was were been being am".split())


def helper_goes(proof: Proof, mark: Mark, old: str) -> bool:
    """Whether "don't" can go as a whole where its denial goes, because what follows can stand without "do".

    Args:
        proof: the texts.
        mark: the mark on the denial.
        old: what would be replaced, "don't" or "didn't".
    """
    helper = _HELPER.match(old)
    return (
        helper is not None
        and "t" in old.casefold()[2:]
        and _standing_verb(proof, mark, helper.group(1), mark.end) is not None
    )


def verb_children(proof: Proof, edit: Edit, index: int, mark: Mark) -> list[Edit]:
    """The edits that follow a denial taken back or an opposite put right, children of `edit`.

    Args:
        proof: the texts.
        edit: the correction of `mark`.
        index: the place of `edit` in its plan.
        mark: a mark on a negation; other kinds have no such children.
    """
    if proof.answer.language != "en" or mark.kind != "negation":
        return []
    if not edit.new:
        return _without_helper(proof, edit, index, mark)
    return _with_its_preposition(proof.answer.text, edit, index)


def _without_helper(proof: Proof, edit: Edit, index: int, mark: Mark) -> list[Edit]:
    text = proof.answer.text
    children = []
    own = _HELPER.match(mark.text)
    before = None if own else _HELPER_BEFORE.search(text, max(0, edit.start - 8), edit.start)
    helper = own.group(1) if own else before.group(1) if before else None
    verb = None if helper is None else _standing_verb(proof, mark, helper, edit.end)
    if verb is None:
        return []
    if before is not None:
        start = before.start(1)
        end = start + len(before.group(1)) + 1
        children.append(Edit(start, end, text[start:end], "", "agreement", (), index, edit.origin))
    start, end, new = verb
    if text[start:end] != new:
        children.append(Edit(start, end, text[start:end], new, "agreement", (), index, edit.origin))
    return children


def _standing_verb(proof: Proof, mark: Mark, helper: str, after: int) -> tuple[int, int, str] | None:
    """The verb behind a helper and its form without it; None where that form is not known."""
    view = proof.answer
    found = _VERB_BEHIND.match(view.text, after)
    if found is None or found.start(1) >= len(view.text):
        return None
    start, end, bare = found.start(1), found.end(1), found.group(1)
    tokens = view.tokens_between(start, end)
    known = bool(tokens) and (view.content[tokens[0]] or bare.casefold() in _FULL_VERBS)
    if not known or bare.casefold().endswith("ly"):
        return None
    form = _form_in_source(proof, mark, view.stems[tokens[0]])
    if helper.casefold() == "do":
        return start, end, bare
    if helper.casefold() == "does":
        return start, end, form if form is not None and form.endswith("s") else third_person(bare)
    return None if form is None or form == bare.casefold() else (start, end, form)


def _form_in_source(proof: Proof, mark: Mark, stem: str) -> str | None:
    """How the receipt's sentence writes a verb, where it stands there by itself."""
    found = receipt_sentence(proof, mark)
    if found is None:
        return None
    view, sentence = found
    for i in range(sentence.first_token, sentence.last_token):
        if view.stems[i] == stem and not _is_helped(view, i):
            return view.folds[i]
    return None


def _is_helped(view: TextView, token: int) -> bool:
    before = view.folds[max(0, token - 2) : token]
    return any(fold in _BE or fold in ("do", "does", "did", "to", "not", "have", "has", "had") for fold in before)


def _with_its_preposition(text: str, edit: Edit, index: int) -> list[Edit]:
    behind = _PREPOSITION_BEHIND.match(text, edit.end)
    old, new = _CONTAINED.search(edit.old), _CONTAINED.search(edit.new)
    if behind is None or old is None or new is None or old.group()[:2].casefold() == new.group()[:2].casefold():
        return []
    start, end = behind.span(1)
    return [Edit(start, end, behind.group(1), _JOINED[behind.group(1).casefold()], "agreement", (), index, edit.origin)]
