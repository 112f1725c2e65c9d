"""Things whose name goes on where another's ends: "the X2" and "the X2 Plus", "Basic" and "Basic Annual".

What a source says of the one is no statement about the other, although every word of the shorter name stands there.
"""

from __future__ import annotations

from proofing.support.places import Place

#: A name has at most so many words.
LONGEST = 5


def variant_of(place: Place) -> tuple[str, ...]:
    """The name that a value's sentence opens with, in lower case; empty where it opens with none."""
    if place.sentence < 0 or place.structure != "prose":
        return ()
    view = place.view
    known: tuple[str, ...] | None = view.memo.get(("variant", place.sentence))
    if known is None:
        sentence = view.sentences[place.sentence]
        found: list[str] = []
        for i in range(sentence.first_token, min(sentence.last_token, sentence.first_token + LONGEST + 1)):
            token = view.tokens[i]
            named = token.text[:1].isupper() or any(c.isdigit() for c in token.text)
            if not found and view.folds[i] in ("the", "der", "die", "das", "le", "la", "el", "il", "o", "a"):
                continue
            if not named or token.end > place.value.start:
                break
            found.append(view.folds[i])
        known = view.memo["variant", place.sentence] = tuple(found)
    return known


def parted_by_variant(ours: Place, rival: Place, held: Place) -> bool:
    """Whether the answer names the rival's thing and the held value is of one whose name is longer or shorter."""
    mine, meant, other = variant_of(ours), variant_of(rival), variant_of(held)
    if not mine or mine != meant or not other or other == mine:
        return False
    short, long = sorted((mine, other), key=len)
    return long[: len(short)] == short and (rival.noun == held.noun or bool(rival.near & held.near & ours.near))
