"""Outside English the words after a number take the form the source gives them after its own.

No table of a language is needed: "1 invitado" beside "3 invitados" shows the form. A word is only exchanged for another
form of itself, never for another word.

>>> another_form("invitado", "invitados"), another_form("комнаты", "комнат"), another_form("handtuch", "handtücher")
(True, True, True)
>>> another_form("invitado", "acompañantes"), another_form("die", "die"), another_form("mes", "mesa")
(False, False, False)
"""

from __future__ import annotations

import re
import unicodedata

from proofing.healing.receipts import receipt_source
from proofing.report import Edit, Mark
from proofing.support.reading import Proof

#: So many words after the number may follow it: noun, adjective, verb.
MOST_WORDS = 3
#: Two forms of a word begin alike for this share of the longer one at least, and differ by so many letters at most.
ALIKE, DIFFERENT = 0.5, 3
_WORDS_BEHIND = re.compile(r"[ \u00a0*_]+([^\W\d_]+)")


def counted_children(proof: Proof, edit: Edit, index: int, mark: Mark) -> list[Edit]:
    """The edits that give the words behind a corrected number their form, children of `edit`.

    Args:
        proof: the texts.
        edit: the correction of `mark`.
        index: the place of `edit` in its plan.
        mark: a mark on a value; its receipt shows the source's number and the words behind it.
    """
    view = receipt_source(proof, mark)
    value = proof.answer.value_at(edit.start)
    if view is None or proof.answer.language == "en" or value is None or not edit.new:
        return []
    at = view.text.find(edit.new, mark.receipt.start, mark.receipt.sentence_end)
    if at < 0:
        return []
    children = []
    ours, theirs = edit.end, at + len(edit.new)
    for _ in range(MOST_WORDS):
        here, there = _WORDS_BEHIND.match(proof.answer.text, ours), _WORDS_BEHIND.match(view.text, theirs)
        if here is None or there is None:
            break
        old, new = here.group(1), there.group(1)
        if old.casefold() != new.casefold():
            if not another_form(old.casefold(), new.casefold()):
                break
            form = new if old[0].isupper() == new[0].isupper() else old[0] + new[1:]
            children.append(Edit(*here.span(1), old, form, "agreement", (), index, edit.origin))
        ours, theirs = here.end(), there.end()
    return children


def another_form(one: str, other: str) -> bool:
    """Whether two words that differ look like forms of one word; an umlaut is no other letter here."""
    bare, theirs = _bare(one), _bare(other)
    shared = next(
        (i for i, (a, b) in enumerate(zip(bare, theirs, strict=False)) if a != b), min(len(bare), len(theirs))
    )
    longer = max(len(bare), len(theirs))
    return one != other and shared >= 4 and shared >= ALIKE * longer and longer - shared <= DIFFERENT


def _bare(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
