"""The polarity channel: negation, modality, comparators, quantifiers and opposites against the nearest clause.

"Not", "must", "at least" and "increased" carry a statement. Each is compared with the source clause that says the
same otherwise; it is marked when that clause says the contrary and no clause about as near agrees. The channel is
careful: a statement the sources do not make at all is none of its business.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from proofing.documents import Sentence
from proofing.support.adverbs import OFTEN, adverb_swapped, never_before
from proofing.support.agreeing import looked_at_again
from proofing.support.alignment import Aligned, aligned_clauses, near_sentences
from proofing.support.base import Judgement
from proofing.support.claimed import claim_at, names_claims
from proofing.support.claims_denied import against_claim, claim_coverage
from proofing.support.clauses import clause_ranges, content_of
from proofing.support.conditions import conditions_turned, says_unless
from proofing.support.crossed import things_crossed
from proofing.support.denials import DETERMINERS, denial_of, is_asserted
from proofing.support.denying import Group, verb_group, without_it
from proofing.support.denying import denied as denied_in
from proofing.support.doubts import may_agree
from proofing.support.limits import ruled_out
from proofing.support.polarity_words import Signs, axes_of, signs_of
from proofing.support.reading import Proof, TextView
from proofing.support.standing import holds_between, places_of
from proofing.support.turns import ABOUT_AS_NEAR, NEAR_ENOUGH, Turned, bounds_turned, limiter_dropped, turn_otherwise
from proofing.support.wordset import word_set
from proofing.values import Value

#: The same with the word itself for two opposites, which may well be said of different things.
OPPOSITE_ENOUGH = 0.7
#: So many other words a clause has, all in the source's, when none stands beside both opposites.
OTHERS = 2
#: Support of a word that says the contrary of its nearest clause.
TURNED = 0.05
FORMS_OF_BE = word_set("is are was were be been being ist sind war waren est sont es son è sono é são")
#: Tickets "to be purchased at the venue" are "sold only at the venue".
TRADED = word_set("sold bought purchased")
#: A mark on a dropped "no" takes the verb in, up to so many code points ("Alcohol is served").
WITH_VERB = 18
THAN = word_set("than")
#: Words that keep something from being so, as a denial does.
EXCLUDING = word_set(
    "exclud exclude excluded exempt exempted prohibit prohibited forbid forbidden ban banned bar barred refuse refused "
    "impossible ausgeschlossen untersagt verboten unzulässig exclus exclue exclues interdit interdite interdits "
    "excluido excluida excluidos excluidas prohibido prohibida escluso esclusa esclusi vietato vietata "
    "excluído excluída proibido proibida запрещено запрещён запрещена исключены исключён"
)
#: Denials that come in pairs.
PAIRED = word_set("neither nor weder noch ni né nem")
AUXILIARIES = word_set(
    "is are was were be been being am do does did has have had ist sind est sont es son è sono é são",
)


class PolarityChannel:
    """Compares every word with a direction with the source clauses that say the same otherwise."""

    name = "polarity"

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """``negated`` judgements on the words that turn a statement round; nothing where the sources agree."""
        out: list[Judgement] = []
        answer = proof.answer
        for number, sentence in enumerate(answer.sentences):
            if sentence.text.rstrip().endswith(("?", "？")) or _is_a_cry(answer, sentence):
                continue
            for clause in clause_ranges(answer, number):
                if content_of(answer, clause):
                    found = _once_each(_turned_in(proof, sentence, clause))
                    out += [_judgement(proof, turned) for turned in looked_at_again(proof, sentence, clause, found)]
        return [*out, *conditions_turned(proof, out), *things_crossed(proof)]


def _is_a_cry(view: TextView, sentence: Sentence) -> bool:
    """ "Sure!", "Of course!": nothing is stated."""
    words = content_of(view, range(sentence.first_token, sentence.last_token))
    return len(words) <= 1 and sentence.text.rstrip().endswith("!")


def _once_each(found: Iterable[Turned]) -> list[Turned]:
    """One mark for one word of a source: "none" against "all" is not also a dropped denial. Comparators come first."""
    kept: dict[tuple[int, int], Turned] = {}
    for turned in sorted(found, key=lambda t: (t.kind == "negation", t.first)):
        kept.setdefault((turned.aligned.index, _opening(turned)), turned)
    return sorted(kept.values(), key=lambda t: t.first)


def _opening(turned: Turned) -> int:
    """The source's word that turns it: "neither" for the "nor" that follows it."""
    view, first = turned.aligned.view, turned.source_first
    if view.folds[first] in PAIRED:
        return next((i for i in turned.aligned.sentence if view.folds[i] in PAIRED), first)
    return first


def _judgement(proof: Proof, turned: Turned) -> Judgement:
    answer, view = proof.answer, turned.aligned.view
    start, end = answer.tokens[turned.first].start, answer.tokens[turned.last - 1].end
    there = view.tokens[turned.source_first].start, view.tokens[turned.source_last - 1].end
    receipt = proof.receipt(turned.aligned.index, *there, turned.note)
    return Judgement(
        start, end, answer.text[start:end], turned.kind, TURNED, "negated", receipt, turned.replacement,
        note=turned.note, channel="polarity",
    )  # fmt: skip


def _turned_in(proof: Proof, sentence: Sentence, clause: range) -> Iterator[Turned]:
    signs = signs_of(proof.answer)
    content = content_of(proof.answer, clause)
    turns = signs.turns_in(clause)
    dropped = limiter_dropped(proof, sentence, clause, content) or ruled_out(proof, sentence, clause, content)
    if dropped is not None:
        yield dropped
    denies = signs.denies_between(clause.start, clause.stop) or _a_source_denies(proof, sentence)
    denies = denies or names_claims(proof.answer, clause.start, clause.stop)
    heads = content if denies else [i for i in content if i in signs.axes]
    if not heads and not turns:
        return
    near = aligned_clauses(proof, sentence, clause)
    if not near:
        return
    same_figures = _of_these_figures(proof.answer, clause, near)
    for head in heads:
        turned = _denied_otherwise(proof, signs, clause, head, same_figures)
        if turned is not None:
            yield turned
    for turn in turns:
        found = turn_otherwise(proof, clause, turn, same_figures if turn.family == "quantifier" else near)
        if found is not None:
            yield found


def _of_these_figures(answer: TextView, clause: range, near: Sequence[Aligned]) -> Sequence[Aligned]:
    """The source clauses without those of other figures, where one has the clause's own: "all buses on route 9"."""
    figures = _figures_in(answer, clause)
    if not figures or not any(figures <= _figures_in(a.view, a.clause) for a in near):
        return near
    return [a for a in near if not (theirs := _figures_in(a.view, a.clause)) or theirs & figures]


def _figures_in(view: TextView, tokens: range) -> frozenset[str]:
    return frozenset(_whole_figure(view, i) for i in tokens if view.tokens[i].kind == "digits")


def _whole_figure(view: TextView, i: int) -> str:
    """The figure that digits are part of: "3.8" for its 3 and its 8."""
    first = last = i
    while first > 1 and view.folds[first - 1] in (".", ",") and _digits_follow(view, first - 2):
        first -= 2
    while view.folds[last + 1 : last + 2] in ((".",), (",",)) and _digits_follow(view, last):
        last += 2
    return view.text[view.tokens[first].start : view.tokens[last].end]


def _digits_follow(view: TextView, i: int) -> bool:
    after = view.tokens[i + 2 : i + 3]
    return bool(after) and after[0].kind == "digits" and after[0].start == view.tokens[i].end + 1


def _a_source_denies(proof: Proof, sentence: Sentence) -> bool:
    """Whether any near source sentence holds a denial: without one, only opposites can turn a plain clause round."""
    key = ("denied by a source", sentence.start)
    known: bool | None = proof.answer.memo.get(key)
    if known is None:
        near = map(proof.located, near_sentences(proof, sentence))
        known = proof.answer.memo[key] = any(_denies_in(view, theirs) for view, theirs in near)
    return known


def _denies_in(view: TextView, sentence: Sentence) -> bool:
    first, last = sentence.first_token, sentence.last_token
    return signs_of(view).denies_between(first, last) or names_claims(view, first, last)


# --- negation and opposites -------------------------------------------------------------------------------------


def _denied_otherwise(proof: Proof, signs: Signs, clause: range, head: int, near: Sequence[Aligned]) -> Turned | None:
    """Whether the nearest clause denies what the answer affirms about `head`, or the other way round."""
    agreed = -1.0
    best: tuple[float, Turned] | None = None
    for aligned in near:
        here = aligned.here.get(head, ())
        if not here:
            continue
        coverage = _rest_covered(proof, aligned, head)
        if coverage < NEAR_ENOUGH:
            continue
        for token in here:
            if coverage <= agreed:  # it could agree no more, and contradict only to no effect
                break
            turned = _compare(proof, signs, clause, head, aligned, token)
            if turned is None:
                agreed = max(agreed, coverage)
            elif isinstance(turned, Turned) and (best is None or coverage > best[0]):
                best = (coverage, turned)
    if best is None or agreed >= best[0] - ABOUT_AS_NEAR or _said_elsewhere(proof, signs, clause, head, best[1]):
        return None
    return best[1]


def _said_elsewhere(proof: Proof, signs: Signs, clause: range, head: int, turned: Turned) -> bool:
    """For a compound that a prefix turns round ("non-communicable"): whether a source has it as the answer does."""
    view = turned.aligned.view
    if view.folds[turned.source_first] != "non" and proof.answer.folds[turned.first] != "non":
        return False
    mine = denial_of(proof.answer, signs, clause, head).strict is not None
    for index in proof.postings.get(proof.answer.stems[head], ()):
        other, sentence = proof.located(index)
        for token in range(sentence.first_token, sentence.last_token):
            if other.stems[token] == proof.answer.stems[head]:
                inside = range(sentence.first_token, sentence.last_token)
                if (denial_of(other, signs_of(other), inside, token).strict is not None) == mine:
                    return True
    return False


def _rest_covered(proof: Proof, aligned: Aligned, head: int) -> float:
    """Coverage of the clause without its head; a clause that is nothing but its head counts where the head is rare."""
    if len(aligned.weights) > 1:
        return claim_coverage(aligned, claim_at(proof.answer, head), without=head)
    held = proof.postings.get(proof.answer.stems[head], ())
    return 0.6 if len(held) == 1 else 0.0


def _compare(proof: Proof, signs: Signs, clause: range, head: int, aligned: Aligned, token: int) -> Turned | str | None:
    """None: both say the same; "unclear": not comparable; else what is turned round."""
    answer, view = proof.answer, aligned.view
    if claim_at(answer, head) or claim_at(view, token):
        return against_claim(answer, signs, clause, head, aligned, token)
    theirs = signs_of(view)
    side = _relative_side(answer, signs, head, view, theirs, token)
    if side == 0:
        return "unclear"
    mine = denial_of(answer, signs, clause, head)
    other = denial_of(view, theirs, aligned.clause, token)
    sign = side * (-1 if mine.strict is not None else 1) * (-1 if other.strict is not None else 1)
    if sign > 0:
        return None
    if is_asserted(answer, clause, head) != is_asserted(view, aligned.clause, token):
        return "unclear"
    if bounds_turned(answer, clause, aligned):
        return "unclear"  # "over 4 MB are refused" and "up to 4 MB are accepted" agree
    if side > 0 and may_agree(answer, clause, head, mine, aligned, other, token):
        return "unclear"
    if side > 0 and ((mine.strict is None and mine.any) or (other.strict is None and other.any)):
        return "unclear"
    if side < 0 and any(
        holds_between(places_of(v, THAN), c.start, c.stop) for v, c in ((answer, clause), (view, aligned.clause))
    ):
        return "unclear"  # "higher for A than for B" and "lower for B" agree
    if side < 0 and (
        aligned.coverage() < OPPOSITE_ENOUGH
        or not (_share_a_neighbour(proof, clause, head, aligned, token) or _all_said(answer, aligned, head))
    ):
        return "unclear"
    if side < 0 and says_unless(answer, head) != says_unless(view, token):
        return "unclear"  # "if it is open" and "unless it is closed" agree
    if side < 0 and _from_the_other_side(answer, head, aligned, token):
        return "unclear"  # "the city lent it" and "the county borrowed it" agree
    if side < 0 and _is_trade(answer, head, view, token):
        return "unclear"
    if side < 0 and _said_of_other_times(answer, clause, head, aligned, token):
        return "unclear"
    if side < 0:
        return _opposite_words(answer, head, aligned, token)
    if other.strict is not None and view.folds[other.strict] in PAIRED and _denies(answer, signs, clause):
        return "unclear"  # "neither did" and "did not, nor did" agree
    if other.strict is not None and _excludes(answer, clause):
        return "unclear"  # "boots are excluded from returns" and "boots cannot be returned" agree
    if mine.strict is not None and other.strict is None and _excludes(view, aligned.clause):
        return "unclear"
    if mine.strict is not None:
        return _denial_added(answer, signs, mine.strict, head, aligned, token)
    if other.strict is None:
        return "unclear"
    return _denial_dropped(answer, clause, head, aligned, theirs, other.strict, token)


def _excludes(view: TextView, clause: range) -> bool:
    """Whether a clause takes something out without a denial: "is excluded from", "is prohibited"."""
    return any(view.stems[i] in EXCLUDING for i in clause)


def _denies(view: TextView, signs: Signs, clause: range) -> bool:
    """Whether a denial stands anywhere in the sentence of a clause."""
    sentence = view.sentence_at(view.tokens[clause.start].start)
    return sentence is not None and signs.denies_between(sentence.first_token, sentence.last_token)


def _is_trade(answer: TextView, head: int, view: TextView, token: int) -> bool:
    """What is sold is bought: "tickets sold at the venue" are those "to be purchased" there."""
    if answer.folds[head] not in TRADED or view.folds[token] not in TRADED:
        return False
    before = (*answer.folds[max(head - 3, 0) : head], *view.folds[max(token - 3, 0) : token])
    return any(fold in FORMS_OF_BE for fold in before)


#: Stems of verbs of which one says what the other says from the other side.
CONVERSE = word_set("lend borrow buy purchas sell win lose import export")


def _from_the_other_side(answer: TextView, head: int, aligned: Aligned, token: int) -> bool:
    """Whether two verbs like "lend" and "borrow" have other subjects: then one tells what the other does."""
    if answer.stems[head] not in CONVERSE or aligned.view.stems[token] not in CONVERSE:
        return False
    sentence = answer.sentence_at(answer.tokens[head].start)
    before = [] if sentence is None else content_of(answer, range(sentence.first_token, head))
    met = [place for i in before for place in aligned.meets.get(i, ())]
    return bool(met) and all(place > token for place in met)


def _relative_side(answer: TextView, mine: Signs, head: int, view: TextView, theirs: Signs, token: int) -> int:
    """1 when the two words mean the same, -1 when they are opposites, 0 when that is not known."""
    if answer.stems[head] == view.stems[token]:
        return 1
    here = dict(mine.axes.get(head, ()))
    there = dict(theirs.axes.get(token, ()))
    for axis in here:
        if axis in there:
            return here[axis] * there[axis]
    return 0 if answer.stems[head] in axes_of(answer.language) else 1


def _said_of_other_times(answer: TextView, clause: range, head: int, aligned: Aligned, token: int) -> bool:
    """ "Open on weekdays" and "closed on holidays" agree, and so do "open from 9:00" and "closes at 21:00"."""
    view = aligned.view
    here, there = _times_after(answer, clause, head), _times_after(view, aligned.clause, token)
    if any(v.kind in ("time", "range") for v in (*here, *there)):
        return True
    theirs, mine = content_of(view, aligned.clause), content_of(answer, clause)
    after = theirs[bisect_right(theirs, token) :]
    if not after or mine[-1] <= head:
        return False
    met = _met_by_own_words(answer, clause, aligned)
    return not any(i in met for i in after)


def _met_by_own_words(answer: TextView, clause: range, aligned: Aligned) -> frozenset[int]:
    """Source tokens that words of the clause itself meet, not those of a subject left out; worked out once."""
    if all(t in clause for t in aligned.meets):
        return aligned.met_places
    key = ("met by own words", clause.start, aligned.index)
    known: frozenset[int] | None = answer.memo.get(key)
    if known is None:
        known = frozenset(s for i in content_of(answer, clause) for s in aligned.meets.get(i, ()))
        answer.memo[key] = known
    return known


def _times_after(view: TextView, clause: range, head: int) -> list[Value]:
    """Clock times and ranges behind a word in its clause."""
    start, end = view.tokens[head].end, view.tokens[clause.stop - 1].end
    return [v for v in view.values_between(start, end) if v.dimension in ("clock", "range:clock")]


def _share_a_neighbour(proof: Proof, clause: range, head: int, aligned: Aligned, token: int) -> bool:
    """Whether the content words beside the two words have one in common: opposites must be said of the same."""
    mine = _content_beside(proof.answer, clause, head)
    theirs = _content_beside(aligned.view, aligned.clause, token)
    return any(s in aligned.meets.get(i, ()) for i in mine for s in theirs)


def _all_said(answer: TextView, aligned: Aligned, head: int) -> bool:
    """Whether a source clause has every other word of the answer's clause: "we dropped it" and "it was added"."""
    if answer.stems[head] in CONVERSE:
        return False  # "lost 3-2 despite winning two sets"
    others = aligned.weights.keys() - {head}
    return len(others) >= OTHERS and all(t in aligned.here for t in others)


def _content_beside(view: TextView, clause: range, token: int) -> list[int]:
    content = content_of(view, clause)
    place = bisect_left(content, token)
    if place == len(content) or content[place] != token:  # "won" is a small word too, for the sake of "won't"
        return [content[k] for k in (place - 1, place) if 0 <= k < len(content)]
    return [content[k] for k in (place - 1, place + 1) if 0 <= k < len(content)]


def _opposite_words(answer: TextView, head: int, aligned: Aligned, token: int) -> Turned:
    word = aligned.view.tokens[token].text
    note = f"the source says {word!r}"
    return Turned(head, head + 1, "negation", aligned, token, token + 1, (word,), note)


def _denial_added(answer: TextView, signs: Signs, negator: int, head: int, aligned: Aligned, token: int) -> Turned:
    last = signs.denials[negator]
    fold = answer.folds[negator]
    replacement: tuple[str, ...] = ()
    if last - negator == 3:
        whole = {"can": "can", "won": "will", "shan": "shall"}.get(fold, answer.tokens[negator].text[:-1])
        replacement = (whole,)
    elif fold == "cannot":
        replacement = ("can",)
    elif fold in ("not", "never", "nicht") or (fold in ("no", "non", "não", "не") and answer.language != "en"):
        replacement = ("",)
    said = aligned.view.folds[token - 1] if token > aligned.clause.start else ""
    if fold == "never" and said in OFTEN and answer.language == "en":
        replacement = (aligned.view.tokens[token - 1].text,)
    if _forbids_by_command(answer, negator):
        replacement = ()  # "Do not take it" without its denial is the opposite command, not what a permission says
    note = "the source says it without this denial"
    return Turned(negator, last, "negation", aligned, token, token + 1, replacement, note)


def _forbids_by_command(answer: TextView, negator: int) -> bool:
    """Whether the denial belongs to a command: "Do not …", "Don't …", "Never …" with nobody named before it."""
    first = negator - 1 if negator and answer.folds[negator - 1] == "do" else negator
    if answer.folds[first] not in ("do", "don", "never"):
        return False
    return first == 0 or answer.tokens[first - 1].kind == "sign"


def _denial_dropped(
    answer: TextView, clause: range, head: int, aligned: Aligned, theirs: Signs, negator: int, token: int
) -> Turned:
    view = aligned.view
    source_first = negator
    if negator > aligned.clause.start and (view.folds[negator - 1] in AUXILIARIES or negator - 1 in theirs.modals):
        source_first = negator - 1
    denied = view.text[view.tokens[source_first].start : view.tokens[theirs.denials[negator] - 1].end]
    note = f"the source denies it: {denied!r}"
    before = _small_words_before(answer, clause, head)
    signs = signs_of(answer)
    group = Group(answer, clause, head, before, view, negator, token)
    change = without_it(group) or adverb_swapped(group)
    if change is not None:
        return Turned(change.first, change.last, "negation", aligned, source_first, token + 1, (change.text,), note)
    change = denied_in(group, signs, theirs) or never_before(group)
    if change is not None:
        last, text = change.last, change.text
        if last == head + 1 and view.folds[negator] in DETERMINERS:  # "Alcohol is served": the verb is marked with it
            last = _verb_after(answer, clause, head) + 1
            text += answer.text[answer.tokens[head].end : answer.tokens[last - 1].end]
        return Turned(change.first, last, "negation", aligned, source_first, token + 1, (text,), note)
    helper = verb_group(answer, before, signs)
    if helper is not None:
        return Turned(helper, head + 1, "negation", aligned, source_first, token + 1, (), note)
    last = _verb_after(answer, clause, head) if view.folds[negator] in DETERMINERS else head
    return Turned(head, last + 1, "negation", aligned, source_first, token + 1, (), note)


def _verb_after(view: TextView, clause: range, head: int) -> int:
    """The verb that follows a noun at once or after small words; the noun itself when none is near."""
    for i in range(head + 1, min(head + 4, clause.stop)):
        if view.tokens[i].kind == "sign":
            return head
        if view.content[i]:
            return i if view.tokens[i].end - view.tokens[head].start <= WITH_VERB else head
    return head


def _small_words_before(view: TextView, clause: range, head: int) -> list[int]:
    """Up to four tokens before a word, nearest first, as far as no content word stands between."""
    found: list[int] = []
    for i in range(head - 1, max(clause.start, head - 4) - 1, -1):
        if view.content[i]:
            break
        found.append(i)
    return found
