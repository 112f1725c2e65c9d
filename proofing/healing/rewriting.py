"""The grounding rewrite: the source sentences that answer the question best, in source order, word for word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from proofing.healing.phrases import SourceKind, rewrite_prefix
from proofing.support.reading import Proof, TextView

#: How many source sentences a rewrite quotes at most.
MOST_SENTENCES = 3
#: A further sentence must answer the question at least this well, relative to the best one.
NEARLY_AS_GOOD = 0.6
#: Share of the question's words (by rarity) a sentence must hold to be quoted at all.
LEAST_SHARE = 0.12
#: From this share on a sentence is quoted although the better ones hold the same words of the question.
ANSWERS_BY_ITSELF = 0.5
#: How much the answer's own words count beside the question's.
ANSWER_WEIGHT = 0.5
#: A sentence that starts so says nothing without the one before it; as many are looked at.
MOST_BEFORE = 2
#: A path of keys of more characters names nothing that a person could read, and each field under it would repeat it.
LONGEST_LABEL = 400
_PRONOUNS = {
    "en": "it its they their he his she her this these those both",
    "de": "er sie es dieser diese dieses diesem diesen ihr ihre ihrem ihren sein seine seinem seinen",
    "fr": "il ils elle elles cette ces cela ce son sa ses leur leurs",
    "es": "este esta estos estas éste ésta ello su sus él ella ellos ellas",
    "it": "questo questa questi queste esso essa essi esse suo sua suoi sue lui lei loro",
    "pt": "este esta estes estas isto isso ele ela eles elas seu sua seus suas",
    "ru": "он она оно они это эта этот эти его её ее их",
}
_FIRST_WORD = re.compile(r"[\"'“«*_]{0,4}([^\W\d_]+)")
_DOCUMENTATION = re.compile(
    r"\b(?:docs?|documentation|manual|readme|guide|handbook|reference|api|faq|help|policy|policies|terms|leaflet)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+•·‣–▪◦]|\(?\d{1,3}[.)]|#{1,6})\s+")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A text made of source sentences, where it comes from, and what stands before it."""

    prefix: str
    body: str
    source_ids: tuple[str, ...]

    @property
    def text(self) -> str:
        return self.prefix + self.body


@dataclass(frozen=True, slots=True)
class _Quotable:
    order: tuple[int, int]
    score: float
    text: str
    source: int
    is_field: bool
    fit: float
    asked: frozenset[str]


def rewrite(proof: Proof) -> Rewrite | None:
    """The best sentences for the question (for the answer, where no question was asked); None when none fits."""
    best = _best(proof)
    if not best:
        return None
    chosen = sorted(_with_antecedents(proof, best), key=lambda q: q.order)
    views = [proof.sources[q.source] for q in chosen]
    ids = tuple(dict.fromkeys(view.source.id for view in views if view.source))
    kind = _kind_of(views[0], all(q.is_field for q in chosen))
    joint = "; " if all(q.is_field for q in chosen) else " "
    body = joint.join(q.text for q in chosen)
    return Rewrite(rewrite_prefix(proof.answer.language, kind), body, ids)


def _best(proof: Proof) -> list[_Quotable]:
    """Up to `MOST_SENTENCES` units by how much of the question they hold, then by how much of the answer."""
    said = _stems(proof.answer)
    asked = _stems(proof.question) or said
    found = []
    for number, view in enumerate(proof.sources):
        for stems, place, text, is_field in _units(view, number):
            fit = _share(proof, asked, stems)
            if fit >= LEAST_SHARE:
                score = round(fit + ANSWER_WEIGHT * _share(proof, said, stems), 9)
                found.append(_Quotable(place, score, text, number, is_field, fit, asked & stems))
    found.sort(key=lambda q: (-q.score, q.order))
    kept: list[_Quotable] = []
    covered: frozenset[str] = frozenset()
    for quotable in found:
        if len(kept) == MOST_SENTENCES or quotable.score < NEARLY_AS_GOOD * found[0].score:
            break
        if kept and quotable.fit < ANSWERS_BY_ITSELF and quotable.asked <= covered:
            continue  # it only names again what the better ones speak of
        covered |= quotable.asked
        if all(quotable.text != other.text for other in kept):
            kept.append(quotable)
    return kept


def _with_antecedents(proof: Proof, chosen: list[_Quotable]) -> list[_Quotable]:
    """The chosen sentences, and before each that starts with a pronoun those that say what the pronoun means."""
    result = list(chosen)
    for quotable in chosen:
        view = proof.sources[quotable.source]
        if quotable.is_field or not _starts_with_pronoun(quotable.text, view.language):
            continue
        before = [unit for unit in _units(view, quotable.source) if unit[1] < quotable.order]
        for stems, place, text, is_field in reversed(before[-MOST_BEFORE:]):
            if any(place == other.order for other in result):
                break
            result.append(_Quotable(place, 0.0, text, quotable.source, is_field, 0.0, stems))
            if not _starts_with_pronoun(text, view.language):
                break
    return result


def _starts_with_pronoun(text: str, language: str) -> bool:
    first = _FIRST_WORD.match(text)
    return first is not None and first.group(1).casefold() in _PRONOUNS.get(language, "").split()


def _share(proof: Proof, wanted: frozenset[str], held: frozenset[str]) -> float:
    """Share of `wanted`, by rarity, that `held` holds."""
    total = sum(proof.rarity(stem) for stem in sorted(wanted))
    return sum(proof.rarity(stem) for stem in sorted(wanted & held)) / total if total else 0.0


def _stems(view: TextView) -> frozenset[str]:
    return frozenset(view.stems[i] for i, content in enumerate(view.content) if content)


def _units(view: TextView, number: int) -> list[tuple[frozenset[str], tuple[int, int], str, bool]]:
    """What can be quoted of a source: the fields of a record, else its sentences (headings and tables apart)."""
    fields = [p for p in view.passages if p.kind == "field"]
    if fields:
        units = []
        for p in fields:
            label = " ".join(part for part in p.key_path if not part.isdigit())
            if len(label) > LONGEST_LABEL:
                continue
            text = f"{label}: {view.text[p.start : p.end].strip()}"
            units.append((_stems(TextView(None, text.replace("_", " "), view.locale)), (number, p.start), text, True))
        return units
    out = []
    for sentence in view.sentences:
        text = " ".join(_BULLET.sub("", sentence.text).split())
        if len(text.split()) < 3 or text.startswith(("|", "<")):
            continue
        if not text.endswith((".", "!", "?", "…", "。", '"', "”", ")")):
            text += "."
        stems = frozenset(view.stems[i] for i in range(sentence.first_token, sentence.last_token) if view.stems[i])
        out.append((stems, (number, sentence.start), text, False))
    return out


def _kind_of(view: TextView, only_fields: bool) -> SourceKind:
    if only_fields:
        return "data"
    source = view.source
    name = " ".join((source.id, source.title, source.url)) if source else ""
    return "documentation" if _DOCUMENTATION.search(re.sub(r"[_\-./#]", " ", name)) else "source"


def origins(rewritten: Rewrite) -> str:
    """The source ids of a rewrite as one text."""
    return ", ".join(rewritten.source_ids)
