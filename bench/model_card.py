"""Write docs/model-card.md from the card inside the support model that ships.

    python -m bench.model_card

The page says what the model file says, how large the files of the package are, and how long an answer takes
(docs/latency.json, by `python -m bench.latency`); a test compares them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

LATENCY = Path(__file__).resolve().parents[1] / "docs" / "latency.json"
SHOWN = ("auroc", "f1", "precision", "recall", "fpr_at_95_recall", "expected_calibration_error")
SHIPPED = ("support.json", "reader.onnx", "reader_tokenizer.json")
TITLES = {
    "ragtruth_train": "RAGTruth, training split",
    "medhallu_a": "MedHallu",
    "truthfulqa_a": "TruthfulQA",
    "halueval_qa_a": "HaluEval QA (answer length alone: AUROC 0.96)",
    "nli_mnli": "MNLI",
    "nli_snli": "SNLI",
    "edits": "source sentences with one edit",
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("docs/model-card.md"))
    options = parser.parse_args(arguments)
    options.out.write_text(page(shipped()), encoding="utf-8")
    print(f"wrote {options.out}")


def shipped() -> dict[str, Any]:
    """The model file of the package."""
    found: dict[str, Any] = json.loads(resources.files("proofing.learning").joinpath("data/support.json").read_bytes())
    return found


def page(model: Mapping[str, Any]) -> str:
    """The card as Markdown."""
    card = model["card"]
    levels = ("words", "sentences", "answers", "judged_sentences", "judged_answers")
    forests = [f"{name.replace('_', ' ')} {len(model[name]['trees'])} trees" for name in levels if name in model]
    tables = f"{len(model['odds'])} words, {len(model['sentence_phrases']['weights'])} phrases of sentences, "
    tables += f"{len(model['answer_phrases']['weights'])} of answers"
    return PAGE.format(
        name=model["name"],
        date=card["date"],
        what=card["what"],
        forests="; ".join(forests),
        tables=tables,
        fitted_on=card["fitted_on"],
        tier=card["tier"],
        cut=model["cut"],
        licence=card["licence"],
        data="\n".join(f"* `{name}`: {text}" for name, text in card["data"].items()),
        figures=_figures(card["figures"], "set, fold 0"),
        last=_last(model),
        size=_size(),
        latency=_latency(json.loads(LATENCY.read_bytes())),
        limits="\n".join(f"* {text}" for text in card["limits"]),
    )


def _last(model: Mapping[str, Any]) -> str:
    """The last stages: what each reads, its cut, and its out-of-fold figures."""
    if not model.get("last"):
        return "This model has none."
    blocks = [f"The reader: {model['card']['reader']}."]
    for most, stage in sorted(model["last"].items(), key=lambda item: int(item[0])):
        forests = ", ".join(f"{level} {len(stage[level]['trees'])} trees" for level in ("sentences", "words"))
        worth = "; ".join(f"{name.replace('_', ' ')}: at least {value}" for name, value in stage["worth"].items())
        read = f"the reader reads the windows of {most} sentences" if int(most) else "without the reader"
        line = f"; words drawn from {stage['line']}" if stage.get("line") else ""
        head = f"**{read[0].upper()}{read[1:]}**: {forests}; cut {stage['cut']}{line}{'; ' + worth if worth else ''}."
        blocks.append(f"{head}\n\n{_figures(model['card']['last'][most], 'set, fold 1, out of fold')}")
    return "\n\n".join(blocks)


def _size() -> str:
    """The files that ship beside the code."""
    folder = resources.files("proofing.learning").joinpath("data")
    sizes = {name: len(folder.joinpath(name).read_bytes()) / 1e6 for name in SHIPPED}
    return "; ".join(f"`{name}` {size:.1f} MB" for name, size in sizes.items())


def _latency(found: Mapping[str, Any]) -> str:
    """Milliseconds of an answer at each tier."""
    rows = ["| tier | median ms | 90th percentile ms |", "|---|---|---|"]
    rows += [f"| {tier} | {took['median']} | {took['p90']} |" for tier, took in found["tiers"].items()]
    said = (
        f"Processor time of one core, one process, by `{found['command']}`: {found['answers']} RAGTruth answers of "
        f"fold 0 with sources not seen before (medians {found['answer_words']:.0f} words of answer, "
        f"{found['source_words']:.0f} of sources). The machine's {found['cores']} cores had a load of {found['load']}, "
        f"which makes these figures upper bounds."
    )
    return "\n".join([said, "", *rows])


def _figures(figures: Mapping[str, Any], title: str) -> str:
    rows = [f"| {title} | " + " | ".join(name.replace("_", " ") for name in SHOWN) + " |"]
    rows.append("|---|" + "---|" * len(SHOWN))
    for family in sorted(figures, key=list(TITLES).index):
        found = figures[family]
        rows.append(f"| {TITLES.get(family, family)} | " + " | ".join(_cell(found.get(name)) for name in SHOWN) + " |")
    return "\n".join(rows)


def _cell(estimate: Mapping[str, Any] | None) -> str:
    if estimate is None or estimate.get("value") is None:
        return "–"
    low, high = estimate.get("interval") or (estimate["value"], estimate["value"])
    return f"{estimate['value']:.3f} ({low:.3f}–{high:.3f})"


PAGE = """# Model card: the support model

Written by `python -m bench.model_card` from the card inside `proofing/learning/data/support.json`; do not edit by hand.

**{name}**, fitted {date}. It gives the probability that an answer holds something its sources do not back, and one
for every word.

{what}

* Forests: {forests}.
* Tables: {tables}.
* Fitted on: {fitted_on}. Channels asked at the {tier} tier.
* Own cut (best expected F1 on out-of-fold RAGTruth answers): {cut}.
* Licence: {licence}.
* Fitted and reported by `python -m bench.train.support_model`; needs the `[train]` extra. Served in plain Python, the
  same bits everywhere.

## Data

{data}

The sets stay outside the package; only fitted numbers ship.

## Figures

The levels below the last stage, fitted on folds 2-4 and read on a sample of fold 0, drawn by hash, that they never
saw; the fold is a hash of the source, so no source is on both sides. 95 % intervals, bootstrapped over whole sources.
Baselines and more tables: [quality.md](quality.md).

{figures}

## The last stage

One for each number of sentences the reader may read (fast 0, standard 1, deep 24), fitted on a sample of fold 1, which
neither the levels above nor the reader saw. What each says of fold 0: [quality.md](quality.md).

{last}

## Size and latency

{size}; the wheel has 18.9 MB (`pip wheel --no-deps .`). Installed alone it needs neither the data nor a network.

{latency}

## Limits

{limits}
"""


if __name__ == "__main__":
    main()
