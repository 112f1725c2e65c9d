"""What a negator denies: which word, how directly, and whether the clause asserts anything at all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import islice

from proofing.support.polarity_words import Signs, signs_of
from proofing.support.reading import TextView
from proofing.support.standing import holds_between, places_of
from proofing.support.wordset import word_set

#: Content words after "no" or "without" that it still denies.
REACH = 3
#: Determiners deny a whole noun phrase, "not" only what follows it.
DETERMINERS = word_set(
    "no without kein keine keinen keinem keiner ohne aucun aucune sans ningún ninguna sin senza sem без",
)
#: Denials that stand for the thing itself: "nothing to avoid" does not deny the avoiding.
PRONOUNS = word_set("nothing nobody none nichts niemand rien personne nada nadie nulla nessuno ничего никто")
#: What may follow such a pronoun where it is the subject.
VERBS = word_set(
    "is are was were has have had can could may might will would should must does did ist war wird hat darf kann est "
    "a n ne peut es ha fue puede è può é foi pode не"
)
#: "Provide no support" denies the verb before it as well.
AFTER_THE_VERB = word_set("no kein keine keinen aucun aucune ningún ninguna nessun nessuna nenhum nenhuma")
#: A denial on one side of these, or of a comma, reaches no word on the other: "wasn't having it and called".
COORDINATING = word_set("and but y e et und pero mais aber ma mas и но")
#: "Not over until nine" says that it was over at nine: what follows these words is not denied.
UNTIL = word_set("until till bis jusqu hasta finché até пока")
#: Words after a denial that keep it from turning anything round, and words that open a mere supposition.
UNTURNED = word_set("only just even more better merely less worse than alone necessarily")
TURNING = word_set(
    "but however while although though whereas yet aber mais pero ma mas но",
)
#: With these, a statement is over as well.
TURNING_HERE = TURNING | {";", ":"}
NICHT = word_set("nicht")
SUPPOSING = word_set("if unless whether would than wenn falls ob si se если")

#: "Se" and "si" suppose in one language and are pronouns in another.
REFLEXIVE = {"es": frozenset(["se"]), "fr": frozenset(["se"]), "it": frozenset(["si"])}
SUPPOSING_IN = {language: SUPPOSING - words for language, words in REFLEXIVE.items()}


@dataclass(frozen=True, slots=True)
class Denial:
    """How a word is denied: `strict` is the negator right before it, `any` whether its clause holds one at all."""

    strict: int | None
    any: bool


NOT_DENIED = Denial(None, False)


def denials_in(view: TextView, tokens: range) -> tuple[int, ...]:
    """Where denials begin in a token range, ascending."""
    places = signs_of(view).denial_places
    return places[bisect_left(places, tokens.start) : bisect_left(places, tokens.stop)]


def denial_of(view: TextView, signs: Signs, clause: range, head: int) -> Denial:
    """The negator that denies `head` in its clause.

    Going left from the head, small words, auxiliaries and adverbs are passed; a content word ends the way, unless a
    determiner ("no additional fee") stands a little before it. Worked out once: many words may be held against it.
    """
    key = ("denial", clause.start, clause.stop, head)
    known: Denial | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = _denial_of(view, signs, clause, head)
    return known


def _denial_of(view: TextView, signs: Signs, clause: range, head: int) -> Denial:
    if view.language == "de" and (place := _nicht_in(view, signs, clause)) is not None:
        of_a_noun = view.tokens[head].text[:1].isupper()  # "die Karte gilt nicht" denies the gelten
        return Denial(None if of_a_noun or _is_idiom(view, clause, place) else place, True)
    first = _sentence_start(view, clause)
    if not signs.denies_between(first, head + 2):
        return NOT_DENIED
    small_between = parted = False
    content_between = 0
    for i in range(head - 1, clause.start - 1, -1):
        if i in signs.denials and signs.denials[i] <= head:
            near = content_between == 0 or (
                _is_determiner(view, signs, i) and content_between < REACH and not small_between
            )
            near = (
                near and not parted and not (small_between and view.folds[i] in PRONOUNS and not _is_subject(view, i))
            )
            return Denial(i if near and not _is_idiom(view, clause, i) else None, True)
        if view.content[i]:
            if signs.denials.get(i - 1, 0) <= i:  # the "longer" of "no longer" is part of the denial
                content_between += not view.folds[i].endswith("ly")
        elif view.tokens[i].kind == "word":
            small_between = True
            parted = parted or view.folds[i] in COORDINATING or view.folds[i] in UNTIL
        elif view.tokens[i].text in ",(":
            parted = True
        if content_between >= REACH:
            break
    after = signs.denials.get(head + 1)
    if after is not None and (view.language in ("de", "fr") or _denies_its_verb(view, signs, head + 1)):
        return Denial(head + 1, True)
    return Denial(None, signs.denies_between(_scope(view, clause, first), head))


def _is_determiner(view: TextView, signs: Signs, negator: int) -> bool:
    """Whether a denial is a determiner; the "no" of "no longer" is none."""
    return view.folds[negator] in DETERMINERS and signs.denials[negator] == negator + 1


def _nicht_in(view: TextView, signs: Signs, clause: range) -> int | None:
    """The one "nicht" of a German clause: it denies the clause wherever it stands ("gilt die Karte nicht")."""
    known = places_of(view, NICHT)
    inside = known[bisect_left(known, clause.start) : bisect_left(known, clause.stop)]
    places = list(islice((i for i in inside if i in signs.denials), 2))
    return places[0] if len(places) == 1 else None


def _is_subject(view: TextView, pronoun: int) -> bool:
    """ "Nobody was injured" denies the injuring; "there is nothing to avoid" denies no avoiding."""
    before = view.tokens[pronoun - 1] if pronoun else None
    opens = before is None or before.kind == "sign"
    return opens and view.folds[pronoun + 1 : pronoun + 2] != () and view.folds[pronoun + 1] in VERBS


def _denies_its_verb(view: TextView, signs: Signs, negator: int) -> bool:
    """ "Provide no support" denies the providing; the Spanish and Italian "no" denies what comes after it only."""
    fold = view.folds[negator]
    return fold in AFTER_THE_VERB and (fold != "no" or (view.language == "en" and _is_determiner(view, signs, negator)))


def _sentence_start(view: TextView, clause: range) -> int:
    sentence = view.sentence_at(view.tokens[clause.start].start)
    return sentence.first_token if sentence else clause.start


def _scope(view: TextView, clause: range, first: int) -> int:
    """Where the statement begins that a clause belongs to: after the last "but", "while" or hard sign before it."""
    places = places_of(view, TURNING_HERE)
    at = bisect_right(places, clause.start) - 1
    return places[at] if at >= 0 and places[at] >= first else first


def _is_idiom(view: TextView, clause: range, negator: int) -> bool:
    """ "Never felt better", "could not be more inclusive", "not only": the denial turns nothing round."""
    after = range(negator + 1, min(negator + 7, clause.stop))
    return any(view.folds[i] in UNTURNED for i in after)


def is_asserted(view: TextView, clause: range, head: int) -> bool:
    """Whether the clause says that it is so, and not that it should be, what if, or what something is more than."""
    if is_supposed(view, clause, head):
        return False
    modals = signs_of(view).modals
    for i in range(max(clause.start, head - 4), head):
        if i in modals and modals[i].side in ("obligation", "advice"):
            return False
    return True


def is_supposed(view: TextView, clause: range, head: int) -> bool:
    """Whether the clause only supposes it ("if the level is low"), or compares with it."""
    words = SUPPOSING_IN.get(view.language, SUPPOSING)
    return holds_between(places_of(view, words), clause.start, head)
