"""lettucedetect reads the samples as its training data, builds the same prompts, and writes them again."""

import json
import sys
from pathlib import Path

from lettucedetect.datasets.hallucination_dataset import HallucinationData
from lettucedetect.datasets.taxonomy import TOP_LEVEL_CATEGORIES
from lettucedetect.detectors.prompt_utils import PromptUtils

ours, theirs = Path(sys.argv[1]) / "lettucedetect" / "lettucedetect.json", Path(sys.argv[2])
raw = json.loads(ours.read_text(encoding="utf-8"))
data = HallucinationData.from_json(raw)
assert len(data.samples) == len(raw)
spans = 0
for sample, given in zip(data.samples, raw, strict=True):
    assert (sample.prompt, sample.answer) == (given["prompt"], given["answer"])
    passages = [source["text"] for source in sample.metadata["sources"]]
    assert sample.prompt == PromptUtils.format_context(passages, sample.question, "en")
    assert sample.language in ("en", "de", "fr", "es", "it", "pl", "cn", "hu")
    for label, own in zip(sample.labels, given["labels"], strict=True):
        assert sample.answer[label["start"] : label["end"]] == own["text"]
        assert label["category"] in TOP_LEVEL_CATEGORIES
        spans += 1
saved = json.dumps(data.to_json(), ensure_ascii=False, indent=1) + "\n"
(theirs / "samples.json").write_text(saved, encoding="utf-8")
print(f"lettucedetect: {len(data.samples)} samples, {spans} spans")
