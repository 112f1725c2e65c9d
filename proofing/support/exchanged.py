"""Two things exchanged around the same words, in languages other than English: "Ribera compró Alborada".

What `crossed.py` knows of English verbs is not known of these languages. Here a clause must have all the words of the
source's and few others, and around one of them (the verb, as it is written) what stood before must stand behind and the
other way round. Word order that an object, a time or a place may take is left alone ("Den Brand verursachte …", "Al
inquilino demandó …"), and so are clauses of which only one names who does it ("durch", "par", "por").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proofing.documents import Sentence
from proofing.support.alignment import near_sentences
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.day_words import day_words
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.wordset import word_set

#: Small words that open a subject: what opens otherwise is an object, a place or a time ("Den Brand verursachte …").
SUBJECTS: dict[str, frozenset[str]] = {
    "de": word_set("der die das ein eine unser unsere ihr ihre sein seine"),
    "fr": word_set("le la les l un une son sa ses leur leurs notre"),
    "es": word_set("el la los las un una su sus"),
    "it": word_set("il lo la i gli le l un uno una"),
    "pt": word_set("o a os as um uma"),
}
#: Before a participle these speak of a state: "está abierta el domingo", not of somebody who does it.
STATES = word_set("ist sind war waren est sont était es son está están era è sono é são estão foi fue fut wird wurde")
#: Words behind a comparative, which has two sides as well.
COMPARING = word_set("als que che di do")
#: Words that name who does it in a passive clause.
BY: dict[str, frozenset[str]] = {
    "de": word_set("von vom durch"), "fr": word_set("par"), "es": word_set("por"),
    "it": word_set("da dal dallo dalla dall dai dagli dalle"), "pt": word_set("por pelo pela pelos pelas"),
}  # fmt: skip
#: Words that say the same of both sides, or join them.
EITHER_WAY = word_set(
    "und oder wie mit sowie et ou comme avec y e o como con com ou contre contra gegen contro entre zwischen tra fra "
    "heiratete heirateten traf trafen trifft gleicht épousa épousé rencontra rencontré rencontre égale casó conoció "
    "encontró iguala sposò sposato incontrò incontrato incontra casou encontrou igual verheiratet "
    "neben gegenüber nahe côté près face junto cerca frente accanto vicino lado perto"
)
#: A side of more content words than this is more than a thing.
THING = 4

Sides = tuple[int, frozenset[str], frozenset[str]]


def things_exchanged(proof: Proof, sentence: Sentence, clause: range) -> tuple[int, int, TextView, range] | None:
    """First and last token of the thing in the other's place, and the source's clause; None where none does."""
    answer = proof.answer
    if answer.language not in SUBJECTS or not (_may_cross(answer, clause) and _opens_as_subject(answer, clause)):
        return None
    words = [answer.stems[i] for i in content_of(answer, clause)]
    if not 3 <= len(words) <= 2 * THING + 2:
        return None
    found: tuple[int, int, TextView, range] | None = None
    for index in near_sentences(proof, sentence):
        view, _ = proof.located(index)
        if view.is_record or view.language != answer.language:
            continue
        for there in clause_ranges(view, proof.evidence[index].sentence):
            theirs = content_of(view, there)
            if not set(words) <= {view.stems[i] for i in theirs} or len(theirs) > len(words) + 2:
                continue
            if not _may_cross(view, there) or not _opens_as_subject(view, there):
                continue
            if _names_the_doer(answer, clause) != _names_the_doer(view, there):
                continue
            moved = next(_exchanged(answer, clause, view, there), None)
            if moved is None:
                return None  # it says the same in its own order, or something else altogether
            found = found or (*moved, view, there)
    return found


def _may_cross(view: TextView, clause: range) -> bool:
    return not signs_of(view).denies_between(clause.start, clause.stop) and not any(
        view.folds[i] in EITHER_WAY for i in clause
    )


def _names_the_doer(view: TextView, clause: range) -> bool:
    return any(view.folds[i] in BY[view.language] for i in clause)


def _exchanged(answer: TextView, clause: range, view: TextView, there: range) -> Iterator[tuple[int, int]]:
    """The thing before the verb, for each verb around which the two sides have changed places."""
    content = content_of(answer, clause)
    for i in content:
        if not answer.tokens[i].text.islower() or answer.tokens[i].kind != "word":
            continue
        same = [k for k in content_of(view, there) if view.folds[k] == answer.folds[i]]
        if len(same) != 1:
            continue
        here, other = _sides(answer, content, i), _sides(view, content_of(view, there), same[0])
        left, right = here[0] - other[0], here[1] - other[1]  # what stands on the other side there
        if not left or not right or max(len(left), len(right)) > THING:
            continue
        if left <= other[1] and right <= other[0] and _says_who(answer, clause, i):
            first = next(k for k in content if answer.stems[k] in left)
            back = next(k for k in content if k > i and answer.stems[k] in right)
            if answer.language == "de" and not (
                _is_a_noun(view, there, answer.stems[first]) and _is_a_noun(answer, clause, answer.stems[back])
            ):
                continue  # "Gestern kündigte der Vermieter dem Mieter"
            last = max(k for k in content if k < i and answer.stems[k] in left)
            yield first, last


def _sides(view: TextView, content: Sequence[int], pivot: int) -> tuple[frozenset[str], frozenset[str]]:
    return (
        frozenset(view.stems[k] for k in content if k < pivot),
        frozenset(view.stems[k] for k in content if k > pivot),
    )


def _is_a_noun(view: TextView, clause: range, stem: str) -> bool:
    """Whether a German source writes a word with a capital, or with one behind it ("rote Haus")."""
    return any(view.stems[i] == stem and any(view.tokens[k].text[:1].isupper() for k in (i, i + 1) if k in clause)
               for i in clause)  # fmt: skip


def _opens_as_subject(view: TextView, clause: range) -> bool:
    """Whether a clause opens with a noun, a name or an article before one, and not with a time or a place."""
    first = next((i for i in clause if view.tokens[i].kind == "word"), None)
    if first is None or not (view.content[first] or view.folds[first] in SUBJECTS[view.language]):
        return False
    head = first if view.content[first] else first + 1
    return view.folds[head : head + 1] != () and view.folds[head] not in day_words(view.language).days


def _says_who(view: TextView, clause: range, pivot: int) -> bool:
    """Whether a verb has somebody who does it: no bare state, unless it compares or names the doer."""
    if not any(view.folds[i] in STATES for i in range(max(clause.start, pivot - 2), pivot)):
        return True
    return view.folds[pivot + 1 : pivot + 2] != () and (
        view.folds[pivot + 1] in COMPARING or _names_the_doer(view, clause)
    )
