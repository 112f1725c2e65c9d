"""Who is bound to what: a name the sources know, put in the place of another.

"Bob is the CEO" when Alice is: both names are known, and so is the post, but never together. A name is called
unbound only when one source sentence says the rest of the clause of somebody else, and no sentence near the name
says it of this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from proofing.support.base import Judgement
from proofing.support.clauses import OPENERS, clause_around, clause_ranges
from proofing.support.names import Name, plain, plain_positions, titles
from proofing.support.polarity import AUXILIARIES
from proofing.support.reading import SILENT, Proof, TextView, receipt_on
from proofing.support.stems import IRREGULAR

#: A predicate that so many source sentences hold says too little to bind a name.
SHARED_BY = 3
UNBOUND = 0.1


def unbound_names(proof: Proof, names: Sequence[Name]) -> Iterator[tuple[Name, Judgement]]:
    """The names that stand in another's place, with an ``unbound`` judgement each.

    Args:
        names: names of the answer that the sources know.
    """
    for name in names:
        found = _rival(proof, name, names)
        if found is None:
            continue
        view, first, last = found
        answer = proof.answer
        start, end = answer.tokens[name.parts[0]].start, answer.tokens[name.parts[-1]].end
        receipt = receipt_on(
            view, view.tokens[first].start, view.tokens[last].end, "the sources say this of another name"
        )
        yield (
            name,
            Judgement(
                start, end, answer.text[start:end], "name", UNBOUND, "unbound", receipt, (receipt.text,),
                channel="entities",
            ),
        )  # fmt: skip


def _rival(proof: Proof, name: Name, names: Sequence[Name]) -> tuple[TextView, int, int] | None:
    """The other name of which a source clause says the rest of this name's clause."""
    answer = proof.answer
    clause = clause_around(answer, name.parts[0])
    opens = _is_subject(answer, clause, name) and _says_something(answer, clause, name.last)
    if not opens and not _closes(answer, clause, name):
        return None
    own = {i for other in names for i in other.parts if i in clause}
    rest = [answer.stems[i] for i in clause if answer.content[i] and i not in own]
    rest += [answer.stems[i] for i in clause if i in own and i not in name.parts]
    if not rest or not all(stem in proof.postings for stem in rest):
        return None
    holding = set.intersection(*(set(proof.postings[stem]) for stem in rest))
    if not 0 < len(holding) <= SHARED_BY:
        return None
    words = [plain(answer.tokens[i].text) for i in name.parts]
    found: tuple[TextView, int, int] | None = None
    for index in sorted(holding):
        view, _ = proof.located(index)
        if view.is_record:
            return None
        where = proof.evidence[index]
        if _named_near(view, where.sentence, words):
            if _clause_names(view, where.sentence, rest, words):
                return None
            rival = _subject_of(view, where.sentence, rest)
            if rival is None:
                return None
        else:
            rival = _subject_of(view, where.sentence, rest)
        if rival is None:
            return None
        found = found or (view, *rival)
    return found


def _is_subject(view: TextView, clause: range, name: Name) -> bool:
    """Whether the name opens its clause (titles, articles and signs before it)."""
    return not any(view.content[i] for i in clause if i < name.first)


def _closes(view: TextView, clause: range, name: Name) -> bool:
    """ "The treasurer is Eva Holt": the name ends its clause behind "is" or "was"."""
    before = [i for i in range(clause.start, name.first) if view.tokens[i].kind != "sign"]
    while before and view.folds[before[-1]] in titles():
        before.pop()
    ends = not any(view.tokens[i].kind != "sign" for i in range(max(name.parts) + 1, clause.stop))
    return ends and len(before) > 1 and view.folds[before[-1]] in ("is", "was", "are", "were")


def _named_near(view: TextView, sentence: int, words: Sequence[str]) -> bool:
    """Whether the name stands in this sentence or the one before, where a pronoun may point to it."""
    positions = plain_positions(view)
    low = view.sentences[max(sentence - 1, 0)].first_token
    high = view.sentences[sentence].last_token
    return any(low <= i < high for word in words for i in positions.get(word, ()))


def _clause_names(view: TextView, sentence: int, rest: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the clause that says the rest also has the name, or no name of its own."""
    for clause in clause_ranges(view, sentence):
        stems = {view.stems[i] for i in clause}
        if not any(stem in stems for stem in rest):
            continue
        if any(plain(view.tokens[i].text) in words for i in clause if view.tokens[i].kind != "sign"):
            return True
    return False


def _subject_of(view: TextView, sentence: int, rest: Sequence[str]) -> tuple[int, int] | None:
    """First and last token of the name that opens the clause which says the rest; None when no name opens it."""
    for clause in clause_ranges(view, sentence):
        if not all(any(view.stems[i] == stem for i in clause) for stem in rest):
            continue
        run: list[int] = []
        for i in clause:
            token = view.tokens[i]
            if token.kind == "sign":
                if run and token.text not in ".-'&":
                    break
                continue
            if token.text[0].isupper() and view.content[i] and view.stems[i] not in rest:
                run.append(i)
            elif run or view.content[i]:
                break
        if not run or not _says_something(view, clause, run[-1] + 1):
            return None
        return run[0], run[-1]
    return None


def _says_something(view: TextView, clause: range, after: int) -> bool:
    """Whether a statement follows the name: an auxiliary, or a word that is neither sign, "and" nor capitalised."""
    if after not in clause or view.tokens[after].kind != "word":
        return False
    fold = view.folds[after]
    if not view.tokens[after].text.islower() or fold in OPENERS or fold in SILENT:
        return False
    return (
        fold in AUXILIARIES
        or fold in IRREGULAR
        or fold.endswith(("ed", "es"))
        or (fold.endswith("s") and not fold.endswith("ss"))
    )
