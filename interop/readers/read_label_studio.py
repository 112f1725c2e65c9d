"""label-studio-sdk takes the configuration and validates each task, prediction and annotation against it."""

import json
import sys
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface
from label_studio_sdk.label_interface.objects import AnnotationValue, PredictionValue, TaskValue

ours, theirs = Path(sys.argv[1]) / "label-studio", Path(sys.argv[2])
interface = LabelInterface((ours / "labeling_config.xml").read_text(encoding="utf-8"))
interface.validate()
tasks = json.loads((ours / "tasks.json").read_text(encoding="utf-8"))
regions = 0
saved = []
for number, task in enumerate(tasks, start=1):
    assert interface.validate_task({"data": task["data"]}), task["data"]
    for prediction in task["predictions"]:
        assert interface.validate_prediction(prediction, return_errors=True) == []
        PredictionValue(**prediction)
    for annotation in task["annotations"]:
        assert interface.validate_annotation(annotation)
        AnnotationValue(**annotation)
    for result in [r for made in (*task["predictions"], *task["annotations"]) for r in made["result"]]:
        if result["type"] == "labels":
            # A browser cuts strings in UTF-16 code units.
            units = task["data"]["answer"].encode("utf-16-le")
            value = result["value"]
            assert units[2 * value["start"] : 2 * value["end"]].decode("utf-16-le") == value["text"]
            regions += 1
    parsed = TaskValue(**task)
    saved.append({"id": number, **parsed.model_dump()})
(theirs / "tasks.json").write_text(json.dumps(saved, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
print(f"label-studio-sdk: {len(tasks)} tasks, {regions} regions")
