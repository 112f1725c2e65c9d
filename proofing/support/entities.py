"""The entity channel: every name of the answer is looked up in the sources, part by part.

Names are found by a spaCy model at the standard tier and by capitals otherwise; the sources are never parsed,
only looked up. A name that stands in no source is marked, or just the part of it that does not ("Rita" of
"Dr. Rita Almeida"). Where the nearest sentence has another name in the same place, the receipt offers it.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofing.report import Receipt
from proofing.support.base import Judgement
from proofing.support.finders import NameFinder, finder_for
from proofing.support.headings import passage_at
from proofing.support.names import Name, missing_parts, plain, plain_positions
from proofing.support.reading import Proof, TextView, receipt_on
from proofing.support.roles import unbound_names

#: Support of a name in no source, of one that only the question has, and of one bound to something else.
ABSENT, ASKED, ELSEWHERE = 0.0, 0.3, 0.1


class EntityChannel:
    """Looks up the names that `finder` finds in the answer."""

    name = "entities"

    def __init__(self, finder: NameFinder, missing_model: str = "") -> None:
        self.finder = finder
        self.missing_model = missing_model

    @classmethod
    def for_tier(cls, tier: str, entity_model: str) -> EntityChannel:
        """The channel of one tier.

        Args:
            tier: ``fast`` always uses the rules.
            entity_model: a spaCy model's import name, ``auto`` or ``rules``.
        """
        if tier == "fast" or entity_model == "rules":
            return cls(finder_for("rules"))
        finder = finder_for(entity_model)
        return cls(finder, entity_model if finder.name == "rules" else "")

    @property
    def model_name(self) -> str:
        return self.finder.name

    def warnings_for(self, proof: Proof) -> list[str]:
        """What a reader should know about how names were found."""
        if self.missing_model:
            return [f"the entity model {self.missing_model!r} is not installed: names were found by rules"]
        return []

    def judge(self, proof: Proof, earlier: Sequence[Judgement]) -> list[Judgement]:
        """A judgement per name: support 1 when the sources have it, a reason on the parts they do not have."""
        taken = {
            i
            for j in earlier
            if j.kind in ("citation", "identifier", "url", "code")
            or (j.checked_by == "arithmetic" and j.kind not in ("date", "duration"))
            or (j.kind == "date" and any(c.isdigit() for c in j.text))
            or (j.kind == "quote" and j.reason is None)
            for i in proof.answer.tokens_between(j.start, j.end)
        }
        names = [
            n for n in self.finder.names_in(proof) if not taken.intersection(n.parts) and not _heads_a_column(proof, n)
        ]
        out = [_judged(proof, name) for name in names]
        known = [
            n for n, j in zip(names, out, strict=True) if j.reason is None and j.support == 1.0 and _stands(proof, n)
        ]
        swapped = {name.first: judgement for name, judgement in unbound_names(proof, known)}
        return [swapped.get(n.first, j) for n, j in zip(names, out, strict=True)]


def _heads_a_column(proof: Proof, name: Name) -> bool:
    """Whether a single word is the header of a column in a table of the answer ("Time"): it names no one."""
    if len(name.parts) > 1:
        return False
    passage = passage_at(proof.answer, proof.answer.tokens[name.first].start)
    return passage is not None and passage.kind == "cell" and not passage.column


def _stands(proof: Proof, name: Name) -> bool:
    """Whether every part of a name is written the same in some source (no acronym, no alias)."""
    words = [plain(proof.answer.tokens[i].text) for i in name.parts]
    return all(any(word in plain_positions(view) for view in proof.sources) for word in words)


def _judged(proof: Proof, name: Name) -> Judgement:
    answer = proof.answer
    missing = missing_parts(proof, name)
    if not missing:
        start, end = answer.tokens[name.parts[0]].start, answer.tokens[name.parts[-1]].end
        receipt = _first_place(proof, answer.tokens[name.parts[-1]].text)
        return Judgement(start, end, answer.text[start:end], "name", 1.0, None, receipt, channel="entities")
    start, end = answer.tokens[missing[0]].start, answer.tokens[missing[-1]].end
    text = answer.text[start:end]
    asked = plain_positions(proof.question)
    if all(plain(answer.tokens[i].text) in asked for i in missing):
        return Judgement(start, end, text, "name", ASKED, None, None, channel="entities", note="")
    other = _other_in_place(proof, name, missing)
    if other is not None:
        view, first, last = other
        receipt = receipt_on(view, view.tokens[first].start, view.tokens[last].end, "the name in this place")
        return Judgement(start, end, text, "name", ABSENT, "contradicted", receipt, (receipt.text,), channel="entities")
    return Judgement(start, end, text, "name", ABSENT, "absent", _nearest(proof, start), channel="entities")


def _nearest(proof: Proof, start: int) -> Receipt:
    from proofing.marks import nearest_receipt

    return nearest_receipt(proof, start, start, "nearest sentence; it does not hold this name")


def _first_place(proof: Proof, word: str) -> Receipt | None:
    for view in proof.sources:
        places = plain_positions(view).get(plain(word))
        if places:
            token = view.tokens[places[0]]
            return receipt_on(view, token.start, token.end)
    return None


def _other_in_place(proof: Proof, name: Name, missing: Sequence[int]) -> tuple[TextView, int, int] | None:
    """The source's name that stands between the same words, or beside the name's other parts."""
    answer = proof.answer
    sentence = answer.sentence_at(answer.tokens[name.first].start)
    if sentence is None:
        return None
    tokens = range(sentence.first_token, sentence.last_token)
    context = [
        answer.stems[i] for i in tokens if i not in name.parts and (answer.content[i] or answer.stems[i].isdigit())
    ]
    left, right = _spoken_beside(answer, missing[0], -1), _spoken_beside(answer, missing[-1], 1)
    for index, share in proof.nearest(context, count=3):
        if share < 0.5:
            break
        view, near = proof.located(index)
        for first, last in capital_runs(view, near.first_token, near.last_token, len(missing)):
            if any(plain(view.tokens[i].text) in plain_positions(answer) for i in range(first, last + 1)):
                continue
            beside = (_spoken_beside(view, first, -1), _spoken_beside(view, last, 1))
            if (beside[0] == left and left) or (beside[1] == right and right):
                return view, first, last
    return None


def _spoken_beside(view: TextView, token: int, step: int) -> str:
    """The word before or after a token within its sentence, signs passed over; "" at the edge."""
    sentence = view.sentence_at(view.tokens[token].start)
    i = token + step
    while sentence is not None and sentence.first_token <= i < sentence.last_token:
        if view.tokens[i].kind != "sign":
            return view.stems[i]
        i += step
    return ""


def capital_runs(view: TextView, first: int, last: int, length: int) -> list[tuple[int, int]]:
    """Runs of capitalised words in a token range, cut or whole to about `length` words; first and last token."""
    runs: list[list[int]] = []
    for i in range(first, last):
        token = view.tokens[i]
        if token.kind == "word" and token.text[0].isupper():
            if runs and i - runs[-1][-1] == 1:
                runs[-1].append(i)
            else:
                runs.append([i])
    out = []
    for run in runs:
        out.append((run[0], run[-1]))
        if len(run) > length:
            out += [(run[k], run[k + length - 1]) for k in range(len(run) - length + 1)]
    return out
