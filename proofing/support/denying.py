"""A denial put into the answer's own verb group: "can be taken" becomes "cannot be taken".

The source may deny the same thing in another construction ("Do not take …", "No items may …"), so its words are
never pasted over the answer's. Where no safe way is known the answer is only marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proofing.support.denials import DETERMINERS
from proofing.support.polarity_words import Signs, Turn, signs_of
from proofing.support.reading import TextView
from proofing.support.stems import IRREGULAR
from proofing.support.wordset import word_set

BE = word_set("is are was were am")
NOT_FINITE = word_set("be been being to")
DO = {"do": "do", "does": "does", "did": "did"}
HAVE = {"have": "do not have", "has": "does not have", "had": "did not have"}
NEED = {"need": "do not need", "needs": "does not need", "needed": "did not need"}
MODALS = word_set("can could may might must shall should will would")
ARTICLES = word_set("a an any some")
#: Words before a bare form that make it no finite verb.
BEFORE_NO_VERB = word_set("a an the to this that these those my your his her its our their of in on at for with by no")
#: Words that may stand in one verb group before its main verb, by language.
CLITICS = {
    "es": word_set("se me te le les nos lo la los las"),
    "it": word_set("si mi ti ci vi lo la li le ne"),
    "pt": word_set("se me te lhe lhes nos o a os as"),
}
AUX = {
    "es": word_set(
        "es son está están ha han fue fueron era puede pueden debe deben será serán ser sido estar haber poder"
    ),
    "it": word_set(
        "è sono ha hanno era erano può possono deve devono sarà saranno viene vengono essere stato stata "
        "stati state venire"
    ),
    "pt": word_set("é são está estão foi foram era pode podem deve devem será serão ser sido estar ter"),
    "fr": word_set("est sont a ont était peut peuvent doit doivent sera seront"),
    "de": word_set("ist sind war waren wird werden hat haben kann können darf dürfen muss müssen soll sollen"),
    "ru": frozenset(),
}
NOT = {"es": "no", "it": "non", "pt": "não", "ru": "не", "de": "nicht"}
#: "Without" and its like, each with what it turns round.
WITHOUT = {
    "without": "with", "ohne": "mit", "sans": "avec", "sin": "con", "senza": "con", "sem": "com", "без": "с",
}  # fmt: skip
BEFORE_A_NOUN = {
    "de": word_set(
        "der die das den dem des ein eine einen einem einer auf an in mit von zu zum zur für bei über unter nach aus "
        "im am vom beim ohne durch gegen um sein seine ihre ihr"
    ),
    "es": word_set("el la los las un una de del al en por con su sus"),
    "it": word_set("il lo la i gli le un una di del della al alla in per con"),
    "pt": word_set("o a os as um uma de do da dos das no na em por com"),
    "ru": word_set("в на с по из от для о об у к"),
}


@dataclass(frozen=True, slots=True)
class Group:
    """The answer's word that is to be denied, and how the source denies it.

    Attributes:
        view: the answer.
        clause: token range of its clause.
        head: the word.
        before: up to four tokens before it, nearest first, with no content word between.
        source: the source.
        negator: the source's denying token.
        token: the source's word.
    """

    view: TextView
    clause: range
    head: int
    before: Sequence[int]
    source: TextView
    negator: int
    token: int


@dataclass(frozen=True, slots=True)
class Change:
    """Tokens ``[first, last)`` of the answer and what would stand in their place."""

    first: int
    last: int
    text: str


def denied(group: Group, mine: Signs, theirs: Signs) -> Change | None:
    """The answer's words with the denial in them, or None where no way is safe.

    Args:
        group: what is denied and where.
        mine: polarity words of the answer.
        theirs: polarity words of the source.
    """
    if group.view.language == "en":
        return _in_english(group, mine, theirs)
    if group.view.language == "de":
        return _in_german(group, mine)
    if group.view.language == "fr":
        return _in_french(group)
    return _with_a_word_before(group)


def without_it(group: Group) -> Change | None:
    """ "With a battery" where the source has it "without": the preposition turns, and is marked with its noun."""
    word = group.source.folds[group.negator]
    plain = WITHOUT.get(word)
    first = next((i for i in group.before if group.view.folds[i] == plain), None) if plain else None
    if first is None:
        return None
    return _change(group.view, first, group.head + 1, word + _rest(group.view, first, group.head))


def verb_group(view: TextView, before: Sequence[int], mine: Signs) -> int | None:
    """The first auxiliary or modal of the words before a verb: "has" of "has been approved"."""
    known = MODALS | BE | NOT_FINITE | DO.keys() | HAVE.keys() | NEED.keys()
    if view.language != "en":
        known = AUX.get(view.language, frozenset())
    found = [i for i in before if i in mine.modals or view.folds[i] in known]
    return min(found, default=None)


def _in_english(group: Group, mine: Signs, theirs: Signs) -> Change | None:
    view, head = group.view, group.head
    by_article = group.source.folds[group.negator] in DETERMINERS
    if by_article:
        article = _article_before(view, group.clause, head)
        if article is not None:
            return _change(view, article, head + 1, "no " + _text(view, article + 1, head + 1))
        if _opens(view, head):
            return _change(view, head, head + 1, "No " + _lowered(view, head, group.source))
    first = verb_group(view, group.before, mine)
    forbidden = _forbids(group, theirs)
    if first is not None:
        return _auxiliary_denied(group, first, mine, theirs, forbidden)
    return None if by_article else _verb_denied(group, forbidden)


def _auxiliary_denied(group: Group, first: int, mine: Signs, theirs: Signs, forbidden: bool) -> Change | None:
    view, fold, word = group.view, group.view.folds[first], group.view.tokens[first].text
    if fold in MODALS:
        borrowed = _modal_denied(group.source, group.negator, theirs)
        if forbidden and fold in ("can", "could", "may", "might"):
            return Change(first, first + 1, "must not")
        return Change(first, first + 1, borrowed or ("cannot" if fold == "can" else f"{word} not"))
    turn = mine.modals.get(first)
    if turn is not None and turn.last - turn.first == 2:  # "has to", "need to"
        if forbidden:
            return Change(first, turn.last, "must not")
        start = (HAVE | NEED).get(fold)
        return Change(first, first + 1, start) if start else None
    if fold in BE or fold in DO:
        return Change(first, group.head + 1, f"{word} not" + view.text[view.tokens[first].end : _end(view, group.head)])
    if fold in HAVE:
        after = view.folds[first + 1]
        perfect = after == "been" or (first + 1 == group.head and _is_participle(after))
        if perfect and group.head - first <= 2:
            return Change(first, group.head + 1, f"{word} not{_rest(view, first, group.head)}")
        return Change(first, first + 1, f"{word} not" if perfect else HAVE[fold])
    return None


def _verb_denied(group: Group, forbidden: bool) -> Change | None:
    """A finite verb without auxiliary: the source must show its bare form after "do not", "does not", "cannot"."""
    view, head, source = group.view, group.head, group.source
    before = source.folds[group.negator - 1] if group.negator else ""
    helped = before in DO or before in MODALS or source.folds[group.negator] in ("cannot", "not", "never")
    if not helped or before in BE or view.stems[head] != source.stems[group.token]:
        return None
    fold, bare = view.folds[head], source.folds[group.token]
    contracted = source.folds[group.negator] in ("don", "doesn", "didn", "cannot", "can", "won")
    if not (before in DO or before in MODALS or contracted):
        return None
    if fold == bare:
        if _opens(view, head):
            return _change(view, head, head + 1, f"Do not {bare}")
        if head == group.clause.start or view.folds[head - 1] in BEFORE_NO_VERB or view.tokens[head - 1].kind != "word":
            return None
        return Change(head, head + 1, f"{'must' if forbidden else 'do'} not {bare}")
    if fold.endswith("s") and not bare.endswith("s") and view.folds[head - 1] not in BEFORE_NO_VERB:
        return Change(head, head + 1, f"{'must' if forbidden else 'does'} not {bare}")
    if _is_participle(fold) and (before == "did" or source.folds[group.negator] == "didn"):
        return Change(head, head + 1, f"did not {bare}")
    return None


def _forbids(group: Group, theirs: Signs) -> bool:
    """Whether the source's denial is an order: "Do not take", "never open" at the start of a clause, "must not"."""
    source, negator = group.source, group.negator
    modal = theirs.modals.get(negator - 1)
    if modal is not None:
        return modal.side in ("obligation", "advice") and source.folds[negator - 1] in ("must", "shall")
    first = negator
    if negator and source.folds[negator - 1] == "do":
        first = negator - 1
    elif source.folds[negator] not in ("don", "never"):
        return False
    sentence = source.sentence_at(source.tokens[negator].start)
    if sentence is None or sentence.first_token == first:
        return sentence is not None
    before = first - 1
    return source.tokens[before].kind == "sign" or source.folds[before] in ("and", "but", "or", "then", "please")


def _modal_denied(source: TextView, negator: int, theirs: Signs) -> str | None:
    """The source's own denied modal ("may not", "cannot", "won't") where it has one."""
    last = theirs.denials[negator]
    if source.folds[negator] == "cannot" or (last - negator == 3 and source.folds[negator] in _CONTRACTED):
        return _text(source, negator, last).lower()
    if negator and source.folds[negator - 1] in MODALS and source.folds[negator] == "not":
        return _text(source, negator - 1, last).lower()
    return None


_CONTRACTED = word_set("can won couldn mustn shouldn wouldn")


def _in_german(group: Group, mine: Signs) -> Change | None:
    view, head, source, negator = group.view, group.head, group.source, group.negator
    helpers = [i for i in range(group.clause.start, head) if i in mine.modals or view.folds[i] in AUX["de"]]
    if not helpers or source.folds[negator] != "nicht":
        return None
    for i in helpers:  # "kann auf andere …" against "kann nicht auf andere …"
        if source.folds[negator - 1 : negator] == (view.folds[i],) and (
            source.folds[negator + 1 : negator + 2] == view.folds[i + 1 : i + 2]
        ):
            return Change(i, head + 1, f"{view.tokens[i].text} nicht" + _rest(view, i, head))
    if not view.tokens[head].text.islower() or view.folds[head - 1] in BEFORE_A_NOUN["de"]:
        return None
    return Change(head, head + 1, f"nicht {view.tokens[head].text}")


def _in_french(group: Group) -> Change | None:
    view = group.view
    first = min((i for i in group.before if view.folds[i] in AUX["fr"]), default=None)
    if first is None or (first and view.folds[first - 1] in ("se", "le", "la", "les", "en", "y", "lui", "leur", "n")):
        return None
    word = view.tokens[first].text
    denied = f"n'{word} pas" if word[0].lower() in "aeéêou" else f"ne {word} pas"
    return Change(first, group.head + 1, denied + _rest(view, first, group.head))


def _with_a_word_before(group: Group) -> Change | None:
    """Spanish, Italian, Portuguese and Russian deny before the whole verb group, pronouns included."""
    view, source, language = group.view, group.source, group.view.language
    word = NOT.get(language)
    if word is None or source.folds[group.negator] not in (word, "нельзя"):
        return None
    inside = AUX.get(language, frozenset()) | CLITICS.get(language, frozenset())
    first = group.head
    while first > group.clause.start and (view.folds[first - 1] in inside or view.folds[first - 1] == "можно"):
        first -= 1
    if view.folds[first] == "можно":
        return _change(view, first, first + 1, "нельзя")
    alone = first == group.head
    straight = all(source.folds[i] in inside for i in range(group.negator + 1, group.token))
    if not straight or (alone and first and view.folds[first - 1] in BEFORE_A_NOUN.get(language, frozenset())):
        return None
    return _change(
        view, first, group.head + 1, f"{word} {_lowered(view, first, None)}" + _rest(view, first, group.head)
    )


def _article_before(view: TextView, clause: range, head: int) -> int | None:
    """The "a" or "any" of the noun phrase that ends in `head`."""
    for i in range(head - 1, max(clause.start, head - 4) - 1, -1):
        if view.folds[i] in ARTICLES:
            return i
        if not view.content[i]:
            return None
    return None


def _is_participle(fold: str) -> bool:
    return fold.endswith(("ed", "en")) or fold in IRREGULAR


def _opens(view: TextView, token: int) -> bool:
    sentence = view.sentence_at(view.tokens[token].start)
    return sentence is not None and not any(view.tokens[i].kind == "word" for i in range(sentence.first_token, token))


def _lowered(view: TextView, token: int, source: TextView | None) -> str:
    """A word as it reads inside a sentence; one that the source capitalises too is a name."""
    text = view.tokens[token].text
    if not _opens(view, token) or (source is not None and text in _token_texts(source)):
        return text
    return text[:1].lower() + text[1:]


def _token_texts(view: TextView) -> frozenset[str]:
    """The tokens of a text as written; worked out once."""
    known: frozenset[str] | None = view.memo.get("token texts")
    if known is None:
        known = view.memo["token texts"] = frozenset([token.text for token in view.tokens])
    return known


def _rest(view: TextView, first: int, head: int) -> str:
    return view.text[view.tokens[first].end : _end(view, head)]


def _end(view: TextView, token: int) -> int:
    return view.tokens[token].end


def _text(view: TextView, first: int, last: int) -> str:
    return view.text[view.tokens[first].start : view.tokens[last - 1].end]


def _change(view: TextView, first: int, last: int, text: str) -> Change:
    return Change(first, last, text[:1].upper() + text[1:] if _opens(view, first) else text)


#: What stands for each side of a modal whose own words ("allowed to", "always") do not fit another verb group.
PLAIN_MODAL = {"permission": "may", "obligation": "must", "advice": "should"}
#: Modal phrases that stand before a bare verb by themselves, so that one may take another's place.
BEFORE_A_VERB = word_set("have has had need needs ought")
WITH_BE = word_set("required obliged obligated allowed permitted free recommended advised encouraged")


def modal_swapped(answer: TextView, turn: Turn, source: TextView, other: Turn) -> tuple[int, int, str | None]:
    """The answer's modal, its "is" and its denial, and what the source says instead; None where nothing fits.

    Args:
        answer: the answer.
        turn: its modal.
        source: the source.
        other: the modal of the source.
    """
    first, last = turn.first, _past_denial(answer, turn)
    opening = answer.folds[turn.first]
    if answer.language != "en":
        untouched = last == turn.last and _past_denial(source, other) == other.last
        before = source.folds[other.first - 1 : other.first] in (("no",), ("non",), ("não",), ("не",), ("ne",))
        return first, turn.last, _text(source, other.first, other.last) if untouched and not before else None
    if opening in WITH_BE:
        if first == 0 or answer.folds[first - 1] not in BE:
            return first, last, None
        first -= 1
    elif opening not in MODALS | BEFORE_A_VERB and opening != "cannot":
        return first, last, None
    if other.side not in PLAIN_MODAL or source.folds[other.first] == "optionally":
        return first, last, None
    their_last = _past_denial(source, other)
    if source.folds[other.first] in MODALS or source.folds[other.first] == "cannot":
        return first, last, _text(source, other.first, their_last).lower()
    denies = their_last > other.last or other.first - 1 in signs_of(source).denials
    if denies and other.side != "permission":
        return first, last, None  # "do not have to" is no "must not"
    return first, last, "must not" if denies else PLAIN_MODAL[other.side]


def _past_denial(view: TextView, turn: Turn) -> int:
    """The end of a modal with the "not" behind it."""
    return signs_of(view).denials.get(turn.last, signs_of(view).denials.get(turn.first, turn.last))
