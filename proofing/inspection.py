"""`inspect`: one answer read against its sources, everything found out in one frozen `Report`.

The channels run once, in a fixed order; the support model turns what they said into probabilities; the checks
look at the result; risk follows from what was triggered. Nothing is stored and nothing is healed here.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from proofing.checks.confidence import check_confidence
from proofing.checks.contradiction import check_contradiction
from proofing.checks.entities import check_entities
from proofing.checks.faithfulness import check_faithfulness
from proofing.checks.verification import check_verification
from proofing.documents import Source, check_text
from proofing.engine import NO_SOURCES, judge_all, predict
from proofing.errors import BadInput
from proofing.limits import check_count, check_length
from proofing.marks import canonical_sha256, find_marks
from proofing.report import Finding, Report
from proofing.retrieval import Retrieval
from proofing.settings import Settings
from proofing.support.reading import Proof, read

if TYPE_CHECKING:
    from proofing.history import DriftHistory
    from proofing.learning.model import SupportModel

#: What may stand for a source: a `Source`, its text alone, ``(id, text)``, or a mapping with ``id`` and ``text``.
SourceLike = Source | str | tuple[str, str] | Mapping[str, Any]
#: From this wording confidence on, an invented name alone makes the risk high.
SURE_OF_NAMES = 0.8

log = logging.getLogger("proofing")


class AnswerFlagged(Exception):
    """An answer whose risk is high or critical, for callers that block on it.

    Attributes:
        report: the full `Report`.
    """

    def __init__(self, report: Report) -> None:
        worst = ", ".join(repr(mark.text) for mark in report.marks[:3])
        super().__init__(f"risk {report.risk}: {', '.join(report.triggered)}; look at {worst or 'the whole answer'}")
        self.report = report


def inspect(
    question: str,
    sources: Sequence[SourceLike],
    answer: str,
    *,
    settings: Settings | None = None,
    history: DriftHistory | None = None,
    model: SupportModel | None = None,
    id: str | None = None,
    retrieval: Retrieval | None = None,
) -> Report:
    """Proofread one answer and report everything found out about it.

    Args:
        question: what was asked; may be empty. Its words are no support.
        sources: the retrieved sources, each a `Source`, a text, ``(id, text)`` or a mapping with ``text`` and
            optionally ``id``, ``title``, ``url``. Texts alone get the ids ``s1``, ``s2``, … An empty sequence is
            allowed and gives a warning.
        answer: the text to proofread; offsets of the report count its code points.
        settings: thresholds and tier; the general profile at the standard tier by default.
        history: where earlier answers of the same question are kept; None = no drift check, nothing written.
        model: a support model; the one that ships with the package by default.
        id: the caller's own name for the answer, handed back in the report.
        retrieval: that `sources` are the passages it found in a corpus; the report then says so.

    Returns:
        A `Report`; the same input gives the same report, apart from ``timings_ms``, byte for byte.

    Raises:
        BadInput: texts with NUL or lone surrogates, duplicate source ids, or more text than the settings allow.

    >>> from proofing import Settings
    >>> report = inspect("", ["The frame is guaranteed for 2 years."], "The frame is guaranteed for 5 years.",
    ...                  settings=Settings(tier="fast"))
    >>> [mark.text for mark in report.marks], report.risk
    (['5'], 'critical')
    """
    started = time.perf_counter()
    chosen = settings or Settings()
    proof = prepare(question, sources, answer, chosen)
    said = judge_all(proof)
    prediction = predict(proof, said.judgements, model)
    finding = find_marks(proof, said.judgements, prediction.token_probabilities, chosen)
    warnings = (*said.warnings, *prediction.warnings)
    if retrieval:  # its own sentence says whether there is anything to read against
        warnings = (retrieval.warning, *(warning for warning in warnings if warning != NO_SOURCES))
    channels_done = time.perf_counter()
    checks = _run_checks(proof, said.judgements, finding, said.entity_model, history, retrieval, chosen)
    triggered = _triggered(checks, chosen)
    engine = {
        **said.engine, "tier": chosen.tier, "profile": chosen.profile,
        "support_model": f"{prediction.name}@{prediction.sha256[:12]}" if prediction.sha256 else prediction.name,
        "cut": round(prediction.cut, 6), "reader": prediction.reader,
    }  # fmt: skip
    probability = round(prediction.answer_probability, 6)
    sha256 = report_sha256(proof, finding, engine, probability)
    finished = time.perf_counter()
    return Report(
        question=question,
        sources=tuple(view.source for view in proof.sources if view.source),
        answer=answer,
        settings=chosen,
        finding=Finding(finding.marks, finding.notes, finding.anchors, finding.floor, warnings, sha256),
        unsupported_probability=probability,
        above_cut=probability >= engine["cut"],
        risk=_risk(triggered, checks),
        triggered=triggered,
        checks=checks,
        engine=engine,
        sha256=sha256,
        id=id,
        warnings=warnings,
        sentences=prediction.sentences,
        retrieval=retrieval,
        timings_ms={
            "channels": round((channels_done - started) * 1000, 3),
            "checks": round((finished - channels_done) * 1000, 3),
            "total": round((finished - started) * 1000, 3),
        },
    )


async def ainspect(
    question: str,
    sources: Sequence[SourceLike],
    answer: str,
    *,
    settings: Settings | None = None,
    history: DriftHistory | None = None,
    model: SupportModel | None = None,
    id: str | None = None,
    retrieval: Retrieval | None = None,
) -> Report:
    """`inspect` for async callers: runs in a worker thread, so the event loop stays free; same arguments and result."""
    return await asyncio.to_thread(
        inspect, question, sources, answer, settings=settings, history=history, model=model, id=id,
        retrieval=retrieval,
    )  # fmt: skip


def proofread(
    answer: str,
    sources: Sequence[SourceLike],
    question: str = "",
    settings: Settings | None = None,
    model: SupportModel | None = None,
) -> Finding:
    """The marks of one answer and nothing else: no checks, no risk, no history.

    Args, raises: as `inspect`.

    Returns:
        A `Finding`: marks weakest first, notes, anchors, floor, warnings, hash.
    """
    chosen = settings or Settings()
    proof = prepare(question, sources, answer, chosen)
    said = judge_all(proof)
    prediction = predict(proof, said.judgements, model)
    finding = find_marks(proof, said.judgements, prediction.token_probabilities, chosen)
    engine = {**said.engine, "support_model": prediction.name, "model_sha256": prediction.sha256,
              "reader": prediction.reader}  # fmt: skip
    sha256 = report_sha256(proof, finding, engine, prediction.answer_probability)
    warnings = (*said.warnings, *prediction.warnings)
    return Finding(finding.marks, finding.notes, finding.anchors, finding.floor, warnings, sha256)


def raise_if_flagged(report: Report) -> Report:
    """`report` itself when its risk is low or medium; else raises `AnswerFlagged` that carries it."""
    if report.is_flagged:
        raise AnswerFlagged(report)
    return report


def log_if_flagged(report: Report, logger: logging.Logger = log) -> bool:
    """Write one JSON line at WARNING for a flagged report: id, risk, triggers, marks and hash, no texts of sources.

    Returns:
        Whether something was logged.
    """
    if not report.is_flagged:
        return False
    line = {
        "event": "answer.flagged", "id": report.id, "risk": report.risk, "triggered": list(report.triggered),
        "unsupported_probability": report.unsupported_probability, "sha256": report.sha256,
        "marks": [{"start": m.start, "end": m.end, "kind": m.kind, "reason": m.reason} for m in report.marks],
    }  # fmt: skip
    logger.warning(json.dumps(line, ensure_ascii=False, sort_keys=True))
    return True


def prepare(question: str, sources: Sequence[SourceLike], answer: str, settings: Settings) -> Proof:
    """Check the three texts against the limits and wrap them for the channels.

    Raises:
        BadInput: as in `inspect`.
    """
    check_text(question, "the question")
    check_text(answer, "the answer")
    check_length(answer, settings.max_answer_words, "the answer", "answer")
    if isinstance(sources, str | bytes | Mapping) or not isinstance(sources, Sequence):
        raise BadInput(f"the sources are {type(sources).__name__}, expected a list: put even a single text into one")
    check_count(sources, settings)
    known: list[Source] = []
    ids: set[str] = set()
    for position, given in enumerate(sources, start=1):
        source = _source(given, position)
        if source.id in ids:
            raise BadInput(f"source id {source.id!r} stands twice: give every source an id of its own")
        ids.add(source.id)
        check_text(source.text, f"source {source.id!r}")
        check_length(source.text, settings.max_source_words, f"source {source.id!r}", "sources")
        known.append(source)
    return read(question, known, answer, settings)


def _source(given: SourceLike, position: int) -> Source:
    if isinstance(given, Source):
        return given
    if isinstance(given, str):
        return Source(f"s{position}", given)
    if isinstance(given, Mapping):
        text = given.get("text")
        if not isinstance(text, str):
            raise BadInput(f"source {position} has no text: give it a string under 'text'")
        name = given.get("id")
        return Source(
            f"s{position}" if name is None else str(name),
            text,
            str(given.get("title") or ""),
            str(given.get("url") or ""),
        )
    if isinstance(given, tuple | list) and len(given) == 2 and all(isinstance(part, str) for part in given):
        return Source(given[0], given[1])
    raise BadInput(f"source {position} is neither a text, (id, text), a mapping nor a Source")


def _run_checks(
    proof: Proof,
    judgements: Sequence[Any],
    finding: Finding,
    entity_model: str,
    history: DriftHistory | None,
    retrieval: Retrieval | None,
    settings: Settings,
) -> dict[str, dict[str, Any]]:
    from proofing.checks.drift import check_drift

    return {
        "confidence": check_confidence(proof),
        "faithfulness": check_faithfulness(proof, list(judgements), settings),
        "contradiction": check_contradiction(finding.marks),
        "entities": check_entities(judgements, finding.marks, entity_model),
        "drift": dict(check_drift(proof, history, settings)),
        "verification": check_verification(proof, retrieval),
    }


def _triggered(checks: Mapping[str, Mapping[str, Any]], settings: Settings) -> tuple[str, ...]:
    """Names of the triggers that fired, in a fixed order."""
    faithfulness = checks["faithfulness"]
    unfaithful = faithfulness["score"] < settings.faithfulness_threshold
    overconfident = unfaithful and checks["confidence"]["score"] > settings.confidence_threshold
    absent = checks["entities"]["absent"]  # a clause invented around a name counts as that name, not twice
    invented = [
        clause for clause in faithfulness["invented"]
        if not any(clause["start"] < name["end"] and name["start"] < clause["end"] for name in absent)
    ]  # fmt: skip
    ungrounded = faithfulness["grounded"] < faithfulness["total"] or bool(invented)
    fired = {
        "contradiction": checks["contradiction"]["found"],
        "entities": bool(checks["entities"]["absent"]),
        "drift": bool(checks["drift"].get("drifted")),
        "confident_but_unfaithful": overconfident,
        "unsupported_claim": ungrounded and not overconfident,
        "verification": bool(checks["verification"]["below"]),
    }
    return tuple(name for name, on in fired.items() if on)


def _risk(triggered: Sequence[str], checks: Mapping[str, Mapping[str, Any]]) -> str:
    if "contradiction" in triggered or len(triggered) >= 3:
        return "critical"
    sure_of_names = "entities" in triggered and checks["confidence"]["score"] > SURE_OF_NAMES
    if len(triggered) == 2 or sure_of_names:
        return "high"
    return "medium" if triggered else "low"


def report_sha256(proof: Proof, finding: Finding, engine: Mapping[str, Any], probability: float) -> str:
    """Hash of everything that determines a finding: texts, source ids, settings, engine and models, marks."""
    content = {
        "schema": "report/1",
        "answer": proof.answer.text,
        "question": proof.question.text,
        "sources": [[view.source.id if view.source else "", view.text] for view in proof.sources],
        "settings": proof.settings.to_dict(),
        "engine": dict(engine),
        "unsupported_probability": round(probability, 6),
        "floor": finding.floor,
        "marks": [mark.to_dict() for mark in finding.marks],
        "notes": [note.to_dict() for note in finding.notes],
    }
    return canonical_sha256(content)
