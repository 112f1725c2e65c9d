"""What the engine returns: frozen results with the shapes of `report/1`.

All of them have ``to_dict()`` (JSON-ready, keys as in docs/contract.md). Offsets are code points of the
caller's own text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from proofing.documents import Source, Span
from proofing.retrieval import Retrieval
from proofing.settings import Settings

KINDS = (
    "number", "money", "percent", "points", "quantity", "date", "time", "duration", "range", "ordinal",
    "version", "phone", "identifier", "citation", "quote", "name", "negation", "modality", "comparator",
    "word", "url", "code",
)  # fmt: skip
REASONS = ("contradicted", "absent", "unbound", "negated", "unit", "altered_quote", "derived_wrong")
RISKS = ("low", "medium", "high", "critical")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The nearest evidence for a mark: where it stands and what it says.

    ``source_id`` is None when nothing close was found in any source; ``note`` then says so.
    """

    source_id: str | None
    start: int = 0
    end: int = 0
    text: str = ""
    sentence_start: int = 0
    sentence_end: int = 0
    sentence_text: str = ""
    note: str = ""
    formula: str | None = None
    operands: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "source_id": self.source_id,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "note": self.note,
            "formula": self.formula,
            "operands": list(self.operands),
            "sentence": {"start": self.sentence_start, "end": self.sentence_end, "text": self.sentence_text},
        }


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of the answer that the sources do not back."""

    start: int
    end: int
    text: str
    kind: str
    support: float
    probability: float
    reason: str
    receipt: Receipt
    #: Texts that may stand in the mark's place, best first. Empty: the receipt offers none.
    #: More than one: the receipt is not sure, so the healer proposes alternatives and changes nothing.
    replacements: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def __str__(self) -> str:
        from proofing.printing import receipt_line

        return receipt_line(self)

    def to_dict(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "kind": self.kind,
            "support": self.support,
            "probability": self.probability,
            "reason": self.reason,
            "receipt": self.receipt.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Note:
    """A span that is supported, with something worth knowing (a derivation, a conversion, an ambiguity)."""

    start: int
    end: int
    text: str
    kind: str
    formula: str | None = None
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"start": self.start, "end": self.end, "text": self.text, "kind": self.kind}
        if self.formula is not None:
            out["formula"] = self.formula
        if self.note:
            out["note"] = self.note
        return out


@dataclass(frozen=True, slots=True)
class Anchor:
    """One scored token or value of the answer with its support, marked or not."""

    start: int
    end: int
    text: str
    support: float
    probability: float
    checked_by: str  # "arithmetic" | "meaning" | "rule"
    receipt: Receipt | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end, "text": self.text, "support": self.support}


@dataclass(frozen=True, slots=True)
class Finding:
    """All marks of one answer: what `proofread` returns.

    ``marks`` is ordered weakest first, values before words at equal support, then by position.
    ``anchors`` holds every scored token in text order.
    """

    marks: tuple[Mark, ...]
    notes: tuple[Note, ...]
    anchors: tuple[Anchor, ...]
    floor: float | None
    warnings: tuple[str, ...]
    sha256: str

    def __str__(self) -> str:
        return "\n".join(map(str, self.marks)) or "nothing marked"

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": "finding/1",
            "floor": self.floor,
            "marks": [m.to_dict() for m in self.marks],
            "notes": [n.to_dict() for n in self.notes],
            "warnings": list(self.warnings),
            "sha256": self.sha256,
        }


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in the answer: ``text[start:end]`` (which reads `old`) becomes `new`.

    ``kind``: value, agreement (has a `parent`), removal, note, rewrite. ``marks`` index the report's marks;
    ``parent`` indexes the healing's edits. Reverting an edit reverts its children.
    """

    start: int
    end: int
    old: str
    new: str
    kind: str
    marks: tuple[int, ...] = ()
    parent: int | None = None
    origin: str = ""  # source id or formula that gave `new`
    #: 0-1: how sure the healer is of this edit; see `Settings.caution` for what it does with it.
    certainty: float = 1.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "start": self.start, "end": self.end, "from": self.old, "to": self.new, "kind": self.kind,
            "marks": list(self.marks), "parent": self.parent, "origin": self.origin, "certainty": self.certainty,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Healing:
    """The healed answer and how it came about.

    Attributes:
        strategy: none | contradiction_patch | entity_scrub | grounding_rewrite | safe_decline.
        applied: whether `text` differs from the answer.
        text: what would be served; the answer itself when nothing was applied.
        proposal: a better text that is not sure enough to be served without a person, or None.
        initial_risk: risk of the answer.
        final_risk: risk of the last healed text by a full re-inspection (of the text that was given up, when
            a decline is served).
        edits: turn the answer into `text`.
        alternatives: marks with several possible corrections; nothing was changed there.
        confidence: wording confidence before and after.
        proposed: turn the answer into `proposal`; empty without one.
        after: the re-inspection's report (not part of the JSON).
    """

    strategy: str
    applied: bool
    text: str
    proposal: str | None
    initial_risk: str
    final_risk: str
    edits: tuple[Edit, ...]
    alternatives: tuple[dict[str, Any], ...]
    confidence: tuple[float, float]
    proposed: tuple[Edit, ...] = ()
    after: Report | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return {
            "strategy": self.strategy, "applied": self.applied, "text": self.text, "proposal": self.proposal,
            "initial_risk": self.initial_risk, "final_risk": self.final_risk,
            "edits": [e.to_dict() for e in self.edits], "alternatives": [dict(a) for a in self.alternatives],
            "confidence": list(self.confidence), "proposed": [e.to_dict() for e in self.proposed],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quality:
    """Composite score and route: accept | healed_accept | fallback | discard."""

    final_score: float
    route: str
    components: Mapping[str, float]
    healed_score: float | None = None

    def __str__(self) -> str:
        return f"score {self.final_score:.2f}, route {self.route}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "final_score": self.final_score, "route": self.route, "components": dict(self.components),
            "healed_score": self.healed_score,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one inspection found out about one answer (`report/1`)."""

    question: str
    sources: tuple[Source, ...]
    answer: str
    settings: Settings
    finding: Finding
    unsupported_probability: float
    above_cut: bool
    risk: str
    triggered: tuple[str, ...]
    checks: Mapping[str, Mapping[str, Any]]
    engine: Mapping[str, Any]
    sha256: str
    id: str | None = None
    quality: Quality | None = None
    healing: Healing | None = None
    calibration: Mapping[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    #: Start, end and probability (0-1) of each sentence as the support model sees it, for `heal`; not in the JSON.
    sentences: tuple[tuple[int, int, float], ...] = ()
    #: Where the sources come from, when the answer brought none; stands in ``checks.verification.corpus``.
    retrieval: Retrieval | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self.finding.marks

    @property
    def is_flagged(self) -> bool:
        return self.risk in ("high", "critical")

    def with_(self, **changes: Any) -> Report:
        """A copy with some fields changed (healing, quality, calibration, id)."""
        return replace(self, **changes)

    def weakest(self) -> Sequence[Anchor]:
        ranked = sorted(self.finding.anchors, key=lambda a: (a.support, -a.probability, a.start))
        return ranked[: self.settings.weakest]

    def __str__(self) -> str:
        from proofing.printing import report_text

        return report_text(self)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": "report/1",
            "id": self.id,
            "unsupported_probability": self.unsupported_probability,
            "above_cut": self.above_cut,
            "floor": self.finding.floor,
            "risk": self.risk,
            "triggered": list(self.triggered),
            "marks": [m.to_dict() for m in self.finding.marks],
            "weakest": [a.to_dict() for a in self.weakest()],
            "notes": [n.to_dict() for n in self.finding.notes],
            "checks": {name: dict(result) for name, result in self.checks.items()},
            "quality": self.quality.to_dict() if self.quality else None,
            "healing": self.healing.to_dict() if self.healing else None,
            "calibration": dict(self.calibration) if self.calibration else None,
            "engine": dict(self.engine),
            "sha256": self.sha256,
            "warnings": list(self.warnings),
            "timings_ms": dict(self.timings_ms),
        }
