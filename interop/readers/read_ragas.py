"""ragas reads samples as an EvaluationDataset and an alignment file as a MetricAnnotation."""

import json
import sys
from pathlib import Path

from ragas import EvaluationDataset
from ragas.dataset_schema import MetricAnnotation, SingleTurnSample

ours, theirs = Path(sys.argv[1]), Path(sys.argv[2])

written = [json.loads(line) for line in (ours / "ragas" / "ragas.jsonl").read_text(encoding="utf-8").splitlines()]
dataset = EvaluationDataset.from_jsonl(str(ours / "ragas" / "ragas.jsonl"))
assert dataset.get_sample_type() is SingleTurnSample
assert len(dataset) == len(written)
for sample, record in zip(dataset, written, strict=True):
    for name in ("user_input", "response", "retrieved_contexts", "retrieved_context_ids"):
        assert getattr(sample, name) == record[name], name
    assert sample.reference == record.get("reference")
dataset.to_jsonl(str(theirs / "ragas.jsonl"))

path = ours / "ragas-alignment" / "ragas-alignment.json"
annotation = MetricAnnotation.from_json(str(path), metric_name="unsupported")["unsupported"]
raw = json.loads(path.read_text(encoding="utf-8"))["unsupported"]
assert len(annotation) == len(raw) > 0
for sample, record in zip(annotation, raw, strict=True):
    assert sample.is_accepted == record["is_accepted"] == (sample.metric_output == sample.target)
    (prompt,) = sample.prompts.values()
    assert (prompt.edited_output is None) == sample.is_accepted
    assert prompt.prompt_input["response"] == record["metric_input"]["response"]
assert {sample.is_accepted for sample in annotation} == {True, False}
assert len(annotation.to_evaluation_dataset()) == len(raw)
print(f"ragas: {len(dataset)} samples, {len(annotation)} judgements")
