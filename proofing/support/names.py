"""Names: how they are written and when two ways of writing mean the same one.

Titles, organisation suffixes, possessives and accents do not matter; every other part does. An initial stands
for a first name, an acronym for its words, a country for its people (``data/names.json``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from proofing.support.lexicon import PLAIN
from proofing.support.reading import SILENT, Proof, TextView
from proofing.support.words import function_words, load_list

#: Shorter names are never taken for slips of the pen.
LONG_NAME = 6
#: Nor are longer ones: the forms of a word are as many as its letters, and each as long.
LONGEST_NAME = 60
#: What stays of a name of a people without its ending has at least so many letters.
COUNTRY = 4
#: Words that say what kind of place a known name is.
GENERIC = frozenset("river lake city county state island islands street road avenue mountain mountains bay".split())
#: Sentences this far before or after a hit still count as the same place for the parts of one name.
PARTS_APART = 2


@dataclass(frozen=True, slots=True)
class Name:
    """One name in a text: its tokens, without title, suffix and possessive.

    Attributes:
        parts: token indices of the parts that matter.
        is_person: whether it is taken for a person.
        first, last: token range of the whole name, titles included, half-open.
    """

    parts: tuple[int, ...]
    is_person: bool
    first: int
    last: int


@cache
def titles() -> frozenset[str]:
    return frozenset(str(load_list("names")["titles"]).split())


@cache
def suffixes() -> frozenset[str]:
    return frozenset(str(load_list("names")["suffixes"]).split())


@cache
def everyday() -> frozenset[str]:
    """Capitalised words that name nothing that could be invented: weekdays, months, "I"."""
    return frozenset(str(load_list("names")["everyday"]).split())


@cache
def aliases() -> dict[str, tuple[str, ...]]:
    """Case-folded name -> other case-folded names for the same."""
    found: dict[str, list[str]] = {}
    for group in load_list("names")["aliases"]:
        for name in group:
            found.setdefault(name, []).extend(other for other in group if other != name)
    return {name: tuple(dict.fromkeys(others)) for name, others in found.items()}


def plain(word: str) -> str:
    """A word without case and accents."""
    return PLAIN[word]


def plain_positions(view: TextView) -> dict[str, list[int]]:
    """Plain word -> token indices, worked out once per text; a plural or possessive s is a form of its own word."""
    known: dict[str, list[int]] | None = view.memo.get("plain")
    if known is None:
        known = {}
        for i, token in enumerate(view.tokens):
            if token.kind != "sign":
                form = PLAIN[token.text]
                held = known.get(form)
                if held is None:
                    known[form] = [i]
                else:
                    held.append(i)
        view.memo["plain"] = known
    return known


def name_from(view: TextView, first: int, last: int, is_person: bool) -> Name | None:
    """The name in a token range, trimmed; None when nothing that names is left."""
    drop = titles() | suffixes()
    parts = [
        i
        for i in range(first, last)
        if view.tokens[i].kind != "sign"
        and view.folds[i] not in drop
        and view.folds[i] not in SILENT
        and not _is_possessive(view, i)
        and not (view.tokens[i].text.islower() and (i == first or view.folds[i] in function_words(view.language)))
        and (len(view.folds[i]) > 1 or _is_initial(view, i))
    ]
    if not parts or all(view.folds[i] in everyday() for i in parts):
        return None
    if not any(view.tokens[i].text[0].isupper() for i in parts):
        return None
    return Name(tuple(parts), is_person, first, last)


def _is_initial(view: TextView, i: int) -> bool:
    """ "J." of "J. Smith", and not the F of "400 F" or the Q of "Q2"."""
    after_figure = i > 0 and (view.tokens[i - 1].kind == "digits" or view.folds[i - 1] in ("degree", "degrees", "°"))
    return view.tokens[i].text.isupper() and view.folds[i + 1 : i + 2] == (".",) and not after_figure


def _is_possessive(view: TextView, i: int) -> bool:
    return i > 0 and view.folds[i] == "s" and view.folds[i - 1] == "'"


def missing_parts(proof: Proof, name: Name) -> tuple[int, ...]:
    """The parts of a name that no source gives together with the rest; empty when the name is known.

    A part is given when it (or its initial, or a cognate such as a plural) stands in a source; an alias or an
    acronym of the whole name gives all parts. Parts that stand in sources but never near one another are not held
    against a name of an organisation or place, only against a person's.
    """
    view = proof.answer
    absent = tuple(
        i
        for i in name.parts
        if view.stems[i] not in proof.postings
        and not _stands_anywhere(proof, view.tokens[i].text)
        and not _has_alias(proof, view.folds[i])
    )
    if len(absent) == 1 < len(name.parts) and absent[0] == name.parts[-1] and view.folds[absent[0]] in GENERIC:
        absent = ()  # "the Rio Grande River"
    if not absent and (not name.is_person or len(name.parts) < 2 or _parts_meet(proof, name)):
        return ()
    if _known_otherwise(proof, name) or (len(absent) > 1 and _has_initials(proof, absent)):
        return ()
    return tuple(i for i in absent if not _is_misspelt(proof, view.tokens[i].text)) or (
        () if absent else (name.parts[0],)
    )


def _has_initials(proof: Proof, parts: Sequence[int]) -> bool:
    """Whether a source has the initials of these words, or of these and those before them ("High School", "HS")."""
    view = proof.answer
    letters, first = "".join(view.folds[i][0] for i in parts), parts[0]
    while True:
        if any(_stands_upper(source, letters) for source in proof.sources):
            return True
        first -= 1
        if first < 0 or view.tokens[first].kind != "word" or not view.tokens[first].text[0].isupper():
            return False
        letters = view.folds[first][0] + letters


def _is_misspelt(proof: Proof, word: str) -> bool:
    """Whether a source has the word with two letters swapped or one doubled ("Cirtus", "Fettucini"): no other name."""
    simple = plain(word)
    if not LONG_NAME <= len(simple) <= LONGEST_NAME:
        return False
    forms = {simple[:i] + simple[i + 1] + simple[i] + simple[i + 2 :] for i in range(1, len(simple) - 1)}
    forms |= {simple[:i] + simple[i] + simple[i:] for i in range(1, len(simple))}
    forms |= {simple[:i] + simple[i + 1 :] for i in range(1, len(simple)) if simple[i] == simple[i - 1]}
    return any(not forms.isdisjoint(plain_positions(view)) for view in proof.sources)


def _known_otherwise(proof: Proof, name: Name) -> bool:
    view = proof.answer
    words = [view.folds[i] for i in name.parts]
    whole = " ".join(words)
    if _has_alias(proof, whole):
        return True
    letters = "".join(words)
    if len(words) > 1 and any(plain(letters) in plain_positions(source) for source in proof.sources):
        return True
    if len(letters) <= 6 and all(view.tokens[i].text.isupper() for i in name.parts) and letters in proof.acronyms:
        return True
    if len(words) >= 2:
        initials = "".join(word[0] for word in words)
        return len(initials) >= 2 and any(_stands_upper(source, initials) for source in proof.sources)
    return False


def _has_alias(proof: Proof, whole: str) -> bool:
    others = aliases().get(whole, ())
    return any(_has_phrase(source, other.split()) for other in others for source in proof.sources)


def _stands_upper(view: TextView, initials: str) -> bool:
    return any(view.tokens[i].text.isupper() for i in plain_positions(view).get(initials, ()))


def _has_phrase(view: TextView, words: Sequence[str]) -> bool:
    parts = [piece for word in words for piece in plain(word).replace(".", " ").split()]
    positions = plain_positions(view)
    for first in positions.get(parts[0], ()):
        at = first
        for part in parts[1:]:
            nexts = [i for i in positions.get(part, ()) if at < i <= at + 2]
            if not nexts:
                break
            at = nexts[0]
        else:
            return True
    return False


def _stands_anywhere(proof: Proof, word: str) -> bool:
    """Whether any source has this part of a name in any form; asked once for each spelling."""
    known: dict[str, bool] = proof.answer.memo.setdefault("stands anywhere", {})
    if word not in known:
        known[word] = any(_places_of(view, word) for view in proof.sources)
    return known[word]


def _places_of(view: TextView, word: str) -> list[int]:
    """Tokens of a source that may be this part of a name: the same word, its plural, its initial or its full form."""
    positions = plain_positions(view)
    simple = plain(word)
    found = list(positions.get(simple, ()))
    if len(simple) == 1:
        return found + [i for i in _by_initial(view).get(simple, ()) if i not in found]
    if not found:
        for form in _other_forms(simple):
            found += positions.get(form, ())
    if not found:
        found += _shortened(view, positions, simple)
    if not found:
        found += [i for i in positions.get(simple[0], ()) if view.tokens[i].text.isupper()]
    return found


def _shortened(view: TextView, positions: dict[str, list[int]], simple: str) -> list[int]:
    """ "Mich." for Michigan: the first letters and a full stop."""
    cuts = (simple[:n] for n in range(3, min(6, len(simple))))
    return [i for cut in cuts for i in positions.get(cut, ()) if view.folds[i + 1 : i + 2] == (".",)]


def _other_forms(simple: str) -> list[str]:
    """Plural and singular, and what the people of a place are called."""
    forms = [simple.removesuffix("s"), simple + "s", simple.removesuffix("es")]
    for ending in ("n", "an", "ian", "ese", "i"):
        if len(simple) - len(ending) >= COUNTRY and simple.endswith(ending):
            forms += [simple.removesuffix(ending), simple.removesuffix(ending) + "e"]
        forms.append(simple + ending)
    return [form for form in dict.fromkeys(forms) if len(form) >= 3 and form != simple]


def _by_initial(view: TextView) -> dict[str, list[int]]:
    known: dict[str, list[int]] | None = view.memo.get("initials")
    if known is None:
        known = {}
        for i, token in enumerate(view.tokens):
            if token.kind == "word" and token.text[0].isupper():
                known.setdefault(plain(token.text)[0], []).append(i)
        view.memo["initials"] = known
    return known


def _parts_meet(proof: Proof, name: Name) -> bool:
    """Whether all parts of a person's name stand within two sentences of one another in some source."""
    words = [proof.answer.tokens[i].text for i in name.parts]
    for view in proof.sources:
        places = [{view.sentence_index_at(view.tokens[i].start) or 0 for i in _places_of(view, word)} for word in words]
        if not all(places):
            continue
        for at in sorted(places[-1]):
            if all(any(abs(at - other) <= PARTS_APART for other in held) for held in places[:-1]):
                return True
    return False
