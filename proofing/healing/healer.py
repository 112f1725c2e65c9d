"""`heal`: choose a strategy, make the edits that are sure enough, read the result again, decline if need be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from proofing.healing.certainty import Certainty
from proofing.healing.phrases import decline, without_own_phrases
from proofing.healing.plans import PROPOSED_FROM, Plan, patch, rewritten, text_of
from proofing.quality import check_score, patched_confidence, scrubbed_confidence
from proofing.report import Edit, Healing, Report
from proofing.settings import Settings
from proofing.support.reading import Proof, read

#: Below this faithfulness an answer is not mended piece by piece but rewritten from the sources.
REWRITE_BELOW = 0.30
#: A patched answer that stays below this faithfulness is rewritten after all.
PATCH_HOLDS_FROM = 0.50
#: Wording confidence of a decline: it asserts nothing and hedges nothing.
NEUTRAL = 0.5


@dataclass(frozen=True, slots=True)
class _Attempt:
    plan: Plan
    edits: tuple[Edit, ...]
    text: str
    after: Report

    @property
    def passed(self) -> bool:
        return not self.after.is_flagged


def heal(report: Report) -> Healing:
    """The healed answer of a report: what was changed, because of which marks, and how the result reads again.

    Low risk stays as it is, and so do drift and a low verification score alone. Else, in this order: almost nothing
    grounded, a rewrite from the sources; a contradiction or anything absent, a patch from the receipts and removal of
    what has no correction; and when that does not pass a full re-inspection, a rewrite, then a decline. What is less
    certain than `Settings.caution` asks is only proposed. The re-inspection uses the report's own settings and writes
    no history.

    Args:
        report: what `inspect` returned.

    Returns:
        A `Healing`; its `edits` turn the answer into `text`, its `proposed` into `proposal`.
    """
    # An answer that only differs from earlier ones, or in its words from the sources, may well be the right one: a
    # reason to look, not to rewrite.
    if report.risk == "low" or (not report.marks and set(report.triggered) <= {"drift", "verification"}):
        return _unchanged(report)
    proof = read(report.question, report.sources, report.answer, report.settings)
    sure = Certainty(proof, report)
    certainties = [sure.of_mark(mark) for mark in report.marks]
    whole = _whole_certainty(sure, certainties)
    attempts: list[_Attempt] = []
    for plan in _plans(sure, certainties, whole):
        attempt = _try(report, plan, plan.at_least(0.0))
        attempts.append(attempt)
        if plan.alternatives or _holds(attempt):
            return _served(report, _surer(attempts, report.settings))
    return _declined(proof, report, attempts, whole)


def _surer(attempts: Sequence[_Attempt], settings: Settings) -> _Attempt:
    """The last attempt, which holds; the first where that one can be made at least in part and the last cannot."""
    first, last = attempts[0], attempts[-1]
    return first if not last.plan.made(settings) and first.plan.made(settings) else last


def _plans(sure: Certainty, certainties: Sequence[float], whole: float) -> Iterator[Plan]:
    """The plans to try, best first."""
    proof, report = sure.proof, sure.report
    first = patch(sure, certainties)
    worth_mending = faithfulness(report) >= REWRITE_BELOW or _leaves_most(first, report.settings.caution)
    leaves_something = not first.is_empty and without_own_phrases(text_of(proof, first.at_least(0.0))).strip()
    if worth_mending and (leaves_something or first.alternatives):
        yield first
    certainty = sure.of_rewrite(whole)
    rewrite = rewritten(proof, report, certainty) if certainty >= PROPOSED_FROM else None
    if rewrite is not None:
        yield rewrite


def _leaves_most(plan: Plan, caution: float) -> bool:
    """Whether a patch surely takes out less than half of an answer that hardly counts as faithful.

    A short answer may be unfaithful only because of its wrong values, a list because its one claim is the invented
    item: then mending keeps what is right, and a rewrite would throw it away.
    """
    view = plan.proof.answer
    said = [view.tokens[i].start for i in range(len(view.tokens)) if view.content[i]]
    spans = [r.span for r, certainty in plan.removals if certainty >= caution and not r.rest_known]
    gone = sum(any(span.start <= at < span.end for span in spans) for at in said)
    return 2 * gone < len(said)


def _whole_certainty(sure: Certainty, certainties: Sequence[float]) -> float:
    """How sure it is that the answer must not be served as it is: its surest mark or groundless sentence.

    A sentence without a mark has no receipt and nothing in it that could be pointed at: that the sources are silent
    is a reason to ask a person, not to put other words in its place. It counts as something to propose, no more.
    """
    found = list(certainties)
    for claim in sure.report.checks.get("faithfulness", {}).get("claims", ()):
        sentence = sure.proof.answer.sentence_at(int(claim["start"]))
        if sentence is not None and not claim["grounded"]:
            certainty = sure.of_sentence(sentence, float(claim["overlap"]))
            marked = any(sentence.start <= mark.start < sentence.end for mark in sure.report.marks)
            found.append(certainty if marked else min(certainty, PROPOSED_FROM))
    return max(found, default=0.0)


def _try(report: Report, plan: Plan, edits: tuple[Edit, ...]) -> _Attempt:
    text = text_of(plan.proof, edits)
    return _Attempt(plan, edits, text, _read_again(report, text))


def _read_again(report: Report, text: str) -> Report:
    """A full inspection of a healed text less the healer's own notes; no history is read or written."""
    from proofing.inspection import inspect

    healed = without_own_phrases(text)
    return inspect(report.question, report.sources, healed, settings=report.settings, retrieval=report.retrieval)


def _holds(attempt: _Attempt) -> bool:
    if not attempt.passed or not without_own_phrases(attempt.text).strip():
        return False
    patched = attempt.plan.strategy == "contradiction_patch"
    return not patched or faithfulness(attempt.after) >= PATCH_HOLDS_FROM


def _served(report: Report, attempt: _Attempt) -> Healing:
    """What a plan leads to: all of it, or the sure part with the whole as a proposal."""
    sure = attempt.plan.made(report.settings)
    if len(sure) == len(attempt.edits):
        served, proposal = attempt, None
    else:
        served = _try(report, attempt.plan, sure) if sure else attempt
        proposal = attempt
    applied = bool(sure)
    before = check_score(report.checks, "confidence", NEUTRAL)
    return Healing(
        strategy=attempt.plan.strategy,
        applied=applied,
        text=served.text if applied else report.answer,
        proposal=proposal.text if proposal and proposal.text != report.answer else None,
        initial_risk=report.risk,
        final_risk=_risk_left(served, proposal) if applied else report.risk,
        edits=served.edits if applied else (),
        alternatives=tuple(dict(a) for a in attempt.plan.alternatives),
        confidence=(before, _confidence(before, served) if applied else before),
        proposed=proposal.edits if proposal else (),
        after=served.after if applied else None,
    )


def _risk_left(served: _Attempt, proposal: _Attempt | None) -> str:
    """The risk of a served text: a change that waits for a person is a fault that is still in it."""
    waits = proposal is not None and len(proposal.edits) > len(served.edits)
    return "high" if waits and served.after.risk in ("low", "medium") else served.after.risk


def _declined(proof: Proof, report: Report, attempts: Sequence[_Attempt], sure: float) -> Healing:
    """Nothing passed: serve the decline where that is sure, and keep the best partial text as a proposal."""
    best = attempts[0] if attempts else None
    if sure < report.settings.caution:
        return _unchanged(report) if best is None else _served(report, best)
    text = decline(proof.answer.language)
    edit = Edit(0, len(report.answer), report.answer, text, "rewrite", tuple(range(len(report.marks))), None, "", sure)
    useful = best is not None and without_own_phrases(best.text).strip() not in ("", report.answer)
    return Healing(
        strategy="safe_decline",
        applied=True,
        text=text,
        proposal=best.text if best is not None and useful else None,
        initial_risk=report.risk,
        final_risk=best.after.risk if best is not None else report.risk,
        edits=(edit,),
        alternatives=tuple(dict(a) for a in best.plan.alternatives) if best else (),
        confidence=(check_score(report.checks, "confidence", NEUTRAL), NEUTRAL),
        proposed=best.edits if best is not None and useful else (),
        after=None,
    )


def _confidence(before: float, served: _Attempt) -> float:
    if served.plan.strategy == "contradiction_patch":
        return patched_confidence(before)
    if served.plan.strategy == "entity_scrub":
        return scrubbed_confidence(before)
    return check_score(served.after.checks, "confidence", NEUTRAL)


def _unchanged(report: Report) -> Healing:
    confidence = check_score(report.checks, "confidence", NEUTRAL)
    return Healing("none", False, report.answer, None, report.risk, report.risk, (), (), (confidence, confidence))


def faithfulness(report: Report) -> float:
    """The faithfulness score of a report, 1.0 where the check did not run."""
    return check_score(report.checks, "faithfulness", 1.0)
