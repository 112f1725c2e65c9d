"""When two clauses that seem to deny one another may still agree.

"Cannot be moved until she is well" and "will be moved once she is well", "failed to give accurate figures" and "gave
inaccurate figures", "avoid using" and "do not use": the polarity channel asks here before it marks anything, and
stays silent in doubt.
"""

from __future__ import annotations

from proofing.support.alignment import Aligned
from proofing.support.claimed import is_stated_against
from proofing.support.denials import DETERMINERS, Denial, is_supposed
from proofing.support.exceptions import other_side_of_an_exception
from proofing.support.polarity_words import signs_of
from proofing.support.reading import TextView
from proofing.support.standing import holds_between, places_of
from proofing.support.wordset import word_set

#: Words that deny without a negator: "avoid using", "too afraid to venture", "refused to pay", "instead of paying".
SOFTLY = word_set(
    "avoid avoids avoided avoiding too afraid refuse refuses refused refusing unable prevent prevents prevented "
    "preventing stop stops stopped stopping lack lacks lacked lacking fail fails failed failing instead rather "
    "unlikely impossible cease ceased ban banned forbidden prohibited deny denies denied denying reluctant unwilling "
    "barely hardly scarcely rarely seldom insufficient minimize minimise limit reduce protect protects against "
    "difficult hard harder struggle struggles struggled exempt exempts exempted exception exceptions waive waives "
    "waived zero different differ differs unlike forgo forgoes forgone forwent skip skips skipped missed",
)
#: Verbs that end what stands before them: "support for it ends in May", "production was discontinued".
ENDED = word_set(
    "end ends ended dropped removed discontinued withdrawn ceases ceased stops stopped terminated expires expired gone"
)
#: Words right behind another that deny it: "smoke-free", "found zero faults".
BEHIND = frozenset(["free", "zero"])
#: Words by which a denial holds only for a time: "cannot leave until she is well".
FOR_A_TIME = word_set("until till bis jusqu hasta finché fino até пока")
#: So many tokens before a word such words stand, and so many behind it those of time.
SOFT_REACH, TIME_REACH = 8, 12
#: Beginnings that turn a word into its contrary.
TURNING_PREFIXES = ("un", "in", "im", "non", "dis", "mis", "ir", "il")
#: Words that set a condition, that leave open whether it comes about, and that say it is only claimed.
CONDITIONS = word_set("if unless provided wenn falls si se если")
HOPES = word_set(
    "chance chances opportunity attempt attempts attempted effort efforts bid hope hopes hoping hoped try tries trying "
    "tried plan plans planned planning want wants wanted likely about"
)
CLAIMS = word_set(
    "premise claim claims claimed idea notion argument suggestion allegation allegations rumor rumour myth belief"
)
MANNERS = word_set("properly correctly safely responsibly carefully appropriately")
ASKING = frozenset("?？")
#: "Not many" and "few" say the same.
MUCH = word_set("many much lot viele viel beaucoup muchos muchas mucho molti molte molto muitos muitas много")
LITTLE = word_set("few little hardly scarcely wenige wenig kaum peu pocos pocas poco pochi poche poucos poucas мало")
#: "Not all arthritis" denies the all.
WHOLE = word_set("all every always everyone everything alle jeder tous toutes todos todas tutti tutte все")


def may_agree(
    answer: TextView, clause: range, head: int, mine: Denial, aligned: Aligned, other: Denial, token: int
) -> bool:
    """Whether a denial on one side only may leave both clauses true.

    Args:
        answer: the answer.
        clause: the answer's clause.
        head: the answer's word that one side denies.
        mine: how the answer denies it.
        aligned: the source clause.
        other: how the source denies it.
        token: the source's word.
    """
    view, there = aligned.view, aligned.clause
    if is_supposed(answer, clause, head) or is_supposed(view, there, token):
        return True
    if _only_if(answer, clause) and not _only_if(view, there):
        return True
    if any(_is_open(v, part, word) for v, part, word in ((answer, clause, head), (view, there, token))):
        return True
    if _in_a_manner(answer, clause, head) or _corrected(view, there, token) or _corrected(answer, clause, head):
        return True
    plain, denying = ((view, there, token), (answer, clause, head))
    if mine.strict is None:
        plain, denying = denying, plain
    if _softly_denied(*plain) or (_denies_later(*plain) and not _denies_later(*denying)):
        return True
    if _holds_for_a_time(*denying) and not _holds_for_a_time(*plain):
        return True
    if _are_exceptions(plain[0], plain[1], denying[0], denying[1]):
        return True
    if mine.strict is not None and _denies_the_whole(answer, mine.strict, view, there):
        return True
    if any(_is_not_much(*one) and holds_between(places_of(other[0], LITTLE), other[1].start, other[1].stop)
           for one, other in ((denying, plain), (plain, denying))):  # fmt: skip
        return True
    if _turned_by_opposite(answer, clause, view, there):
        return True
    if _turned_by_prefix(answer, clause, aligned):
        return True
    return not _same_noun(answer, clause, head, aligned, other.strict, token)


def _sentence_of(view: TextView, clause: range) -> range:
    key = ("sentence of", clause.start)
    known: range | None = view.memo.get(key)
    if known is None:
        sentence = view.sentence_at(view.tokens[clause.start].start)
        known = range(sentence.first_token, sentence.last_token) if sentence else clause
        view.memo[key] = known
    return known


def _only_if(view: TextView, clause: range) -> bool:
    """Whether the sentence says it on a condition ("if the drive was wiped, the files cannot be recovered")."""
    sentence = _sentence_of(view, clause)
    return holds_between(places_of(view, CONDITIONS), sentence.start, sentence.stop)


def _is_open(view: TextView, clause: range, head: int) -> bool:
    """Whether it is asked, hoped for, tried, or somebody's claim: "a chance to tie", "the premise that it should"."""
    sentence = _sentence_of(view, clause)
    if holds_between(places_of(view, ASKING), head, sentence.stop):
        return True
    before = view.folds[max(sentence.start, head - 4) : head]
    if "to" in before and any(fold in HOPES for fold in before):
        return True
    claimed = holds_between(places_of(view, CLAIMS), sentence.start, head)
    return claimed and not is_stated_against(view, sentence.start, head)


def _in_a_manner(view: TextView, clause: range, head: int) -> bool:
    """ "Dispose of it properly" agrees with "do not pour it down the sink"."""
    return holds_between(places_of(view, MANNERS), head, clause.stop)


def _corrected(view: TextView, clause: range, head: int) -> bool:
    """ "Is not 80, but 500": the other half says what holds."""
    stop = min(_sentence_of(view, clause).stop, head + 6)
    return any(view.folds[i] == "but" and view.tokens[i - 1].text == "," for i in range(head + 1, stop))


def _softly_denied(view: TextView, clause: range, head: int) -> bool:
    first = max(_sentence_of(view, clause).start, head - SOFT_REACH)
    if any(fold in SOFTLY for fold in view.folds[first:head]) or holds_between(
        places_of(view, ENDED), head + 1, clause.stop
    ):
        return True
    return not BEHIND.isdisjoint(view.folds[head + 1 : head + 3])


def _denies_later(view: TextView, clause: range, head: int) -> bool:
    """Whether a denial follows in the clause: "fruits that turn brown may not be suitable" for "not fruits"."""
    return signs_of(view).denies_between(head + 1, clause.stop)


def _holds_for_a_time(view: TextView, clause: range, head: int) -> bool:
    sentence = _sentence_of(view, clause)
    first = max(sentence.start, head - SOFT_REACH)
    last = min(sentence.stop, head + 1 + TIME_REACH)
    return any(fold in FOR_A_TIME for fold in view.folds[first:last])


def _are_exceptions(plain: TextView, clause: range, denying: TextView, there: range) -> bool:
    mine = plain.sentence_at(plain.tokens[clause.start].start)
    theirs = denying.sentence_at(denying.tokens[there.start].start)
    if mine is None or theirs is None:
        return False
    return other_side_of_an_exception(plain, mine, denying, theirs)


def _denies_the_whole(answer: TextView, negator: int, view: TextView, there: range) -> bool:
    """ "Not all" where the source speaks of no whole."""
    after = answer.folds[negator + 1 : negator + 2]
    return bool(after) and after[0] in WHOLE and not holds_between(places_of(view, WHOLE), there.start, there.stop)


def _is_not_much(view: TextView, clause: range, head: int) -> bool:
    """ "Not many objected": what is denied is that they are many."""
    much = places_of(view, MUCH)
    return any(holds_between(much, at, at + 3) for at in signs_of(view).denial_places if at in clause)


def _turned_by_opposite(view: TextView, clause: range, other: TextView, there: range) -> bool:
    """Whether one clause has a word and the other its opposite: "verboten" and "nicht erlaubt" agree."""
    theirs = _sides_in(other, there)
    return any((axis, -side) in theirs for axis, side in _sides_in(view, clause))


def _sides_in(view: TextView, clause: range) -> frozenset[tuple[int, int]]:
    """The axes of opposites that words of a clause stand on, each with its side; worked out once."""
    key = ("sides", clause.start, clause.stop)
    known: frozenset[tuple[int, int]] | None = view.memo.get(key)
    if known is None:
        axes = signs_of(view).axes
        known = view.memo[key] = frozenset([pair for i in clause for pair in axes.get(i, ())])
    return known


def _turned_by_prefix(view: TextView, clause: range, aligned: Aligned) -> bool:
    """Whether one clause has a word and the other its contrary by a prefix ("inaccurate", "accurate").

    Worked out once for two clauses.
    """
    key = ("contrary", clause.start, aligned.index, aligned.clause.start)
    known: bool | None = view.memo.get(key)
    if known is None:
        mine, theirs = _content_folds(view, clause), _content_folds(aligned.view, aligned.clause)
        known = view.memo[key] = _has_contrary(mine, theirs) or _has_contrary(theirs, mine)
    return known


def _content_folds(view: TextView, clause: range) -> frozenset[str]:
    key = ("content folds", clause.start, clause.stop)
    known: frozenset[str] | None = view.memo.get(key)
    if known is None:
        known = view.memo[key] = frozenset([view.folds[i] for i in clause if view.content[i]])
    return known


def _has_contrary(words: frozenset[str], others: frozenset[str]) -> bool:
    return any(
        word.startswith(prefix) and word[len(prefix) :] in others
        for word in words - others
        for prefix in TURNING_PREFIXES
    )


def _same_noun(answer: TextView, clause: range, head: int, aligned: Aligned, negator: int | None, token: int) -> bool:
    """Whether "no federal charges" speaks of the answer's thing: the noun behind the shared word must be there too."""
    view = aligned.view
    if negator is None:
        return True
    noun = token + 1
    if view.folds[noun : noun + 2] == ("'", "s"):
        noun += 2
    elif view.folds[negator] not in DETERMINERS:
        return True
    if noun >= aligned.clause.stop or not view.content[noun]:
        return True
    if noun == token + 1 and head + 1 < clause.stop and not answer.content[head + 1]:
        return True
    return noun in aligned.met_places
