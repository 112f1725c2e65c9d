"""Five small failure stories, each read, scored and healed in front of you.

>>> [scenario.name for scenario in SCENARIOS]
['confident lie', 'invented citation', 'billing contradiction', 'price drift', 'clean paraphrase']
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from proofing.documents import Source
from proofing.history import History
from proofing.pipeline import proofread_whole
from proofing.report import Report
from proofing.settings import Settings


@dataclass(frozen=True, slots=True)
class Scenario:
    """One story: what was asked, what the sources say, what was answered, and earlier answers if any."""

    name: str
    story: str
    question: str
    sources: tuple[Source, ...]
    answer: str
    earlier: tuple[str, ...] = ()


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        name="confident lie",
        story="The shop gives 14 days. The answer says 30, and promises more than anyone wrote down.",
        question="How long do I have to send headphones back?",
        sources=(
            Source(
                "returns.md",
                "Headphones may be sent back within 14 days of delivery. The box must be complete. "
                "Ear tips are excluded once opened.",
            ),
        ),
        answer="You definitely have exactly 30 days to send headphones back, and a full refund is always guaranteed.",
    ),
    Scenario(
        name="invented citation",
        story="Two researchers, an institute and a preprint that stand in no source.",
        question="Has the sealant been shown to be harmless?",
        sources=(
            Source(
                "datasheet.pdf#p2",
                "The sealant was tested for emissions in a closed room for 28 days. "
                "The measured emissions stayed below the limit of the indoor air label.",
            ),
        ),
        answer="Dr. Paula Renn and Igor Whitfield of the Lakewater Institute proved its harmlessness "
        "in arXiv:2104.11873.",
    ),
    Scenario(
        name="billing contradiction",
        story="A yearly price became a monthly one, and the words around it followed.",
        question="What does the Rower plan cost?",
        sources=(
            Source(
                "plans.md",
                "The Rower plan costs $120 per year, billed annually. Payment by instalments is not offered.",
            ),
            Source("faq.md", "An annual subscription renews by itself until you cancel it."),
        ),
        answer="The Rower season runs at $10 per month, billed monthly. Your monthly subscription renews by itself "
        "until you cancel it.",
    ),
    Scenario(
        name="price drift",
        story="Five answers named one price. The sixth names another, and the source never changed.",
        question="How much is the harbour tour for adults?",
        sources=(
            Source(
                "tours.md",
                "The harbour tour costs 24 euros for adults. Children under six ride free. Tours leave hourly.",
            ),
        ),
        answer="The harbour tour costs 31 euros for adults.",
        earlier=("The harbour tour costs 24 euros for adults.",) * 5,
    ),
    Scenario(
        name="clean paraphrase",
        story="Said in other words, and nothing is wrong with it.",
        question="How soon will my passport be ready?",
        sources=(
            Source("office.html", "Passports are usually ready within four weeks after the application is complete."),
        ),
        answer="Once the application is complete, passports are usually ready within four weeks.",
    ),
)


def read_scenario(number: int, settings: Settings | None = None) -> Report:
    """The finished report of scenario 1 to 5; its drift history lives only as long as this call.

    Raises:
        ValueError: there is no such scenario.
    """
    if not 1 <= number <= len(SCENARIOS):
        raise ValueError(f"there is no scenario {number}: use 1 to {len(SCENARIOS)}")
    scenario = SCENARIOS[number - 1]
    with tempfile.TemporaryDirectory() as folder, History(Path(folder) / "history.sqlite3") as history:
        for earlier in scenario.earlier:
            proofread_whole(scenario.question, scenario.sources, earlier, settings=settings, history=history)
        return proofread_whole(
            scenario.question,
            scenario.sources,
            scenario.answer,
            settings=settings,
            history=history,
            id=f"scenario-{number}",
        )


def run_scenario(number: int, settings: Settings | None = None) -> str:
    """Scenario 1 to 5 as text: detect, score, heal.

    Raises:
        ValueError: there is no such scenario.
    """
    report = read_scenario(number, settings)
    scenario = SCENARIOS[number - 1]
    lines = [f"{number}. {scenario.name}: {scenario.story}", "", f"   question  {scenario.question}"]
    lines += [f"   source    {source.id}: {source.text}" for source in scenario.sources]
    lines += [f"   answer    {scenario.answer}", ""]
    return "\n".join([*lines, *_detected(report), *_scored(report), *_healed(report)]) + "\n"


def _detected(report: Report) -> list[str]:
    lines = [f"   detect    risk {report.risk}" + (f" ({', '.join(report.triggered)})" if report.triggered else "")]
    for mark in report.marks:
        nearest = f"{mark.receipt.source_id}: {mark.receipt.text!r}" if mark.receipt.source_id else "nothing near"
        lines.append(f"             {mark.text!r} {mark.reason}; nearest evidence {nearest}")
    drift = report.checks.get("drift", {})
    if drift.get("distance") is not None:
        lines.append(f"             drift distance {drift['distance']:.2f} from {drift['compared']} earlier answers")
    return lines


def _scored(report: Report) -> list[str]:
    quality = report.quality
    if quality is None:
        return []
    parts = ", ".join(f"{name} {value:.2f}" for name, value in quality.components.items())
    healed = f", healed text {quality.healed_score:.2f}" if quality.healed_score is not None else ""
    return [f"   score     {quality.final_score:.2f}{healed}, route {quality.route} ({parts})"]


def _healed(report: Report) -> list[str]:
    healing = report.healing
    if healing is None:
        return []
    before, after = healing.confidence
    risks = f"risk {healing.initial_risk} -> {healing.final_risk}"
    lines = [f"   heal      {healing.strategy}: {risks}, confidence {before:.2f} -> {after:.2f}"]
    lines += [f"             {e.kind}: {e.old!r} -> {e.new!r}" for e in healing.edits]
    lines.append(f"   served    {healing.text}")
    if healing.proposal is not None:
        lines.append(f"   proposal  {healing.proposal}")
    return lines
