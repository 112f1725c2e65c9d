"""argilla reads the records, checks them against a data set's settings, and writes them again."""

import json
import sys
from pathlib import Path

from argilla.records._io import JsonIO

ours, theirs = Path(sys.argv[1]) / "argilla" / "argilla.json", Path(sys.argv[2])
raw = json.loads(ours.read_text(encoding="utf-8"))
reasons = ["unsupported", "contradicted", "absent", "unbound", "negated", "unit", "altered_quote", "derived_wrong"]
# The names a data set for these records has to have; argilla's own objects for them want a server.
fields, questions = {"question", "answer", "sources"}, {"unsupported", "verdict"}
records = JsonIO._records_from_json(ours)
assert len(records) == len(raw)
spans = 0
for record, given in zip(records, raw, strict=True):
    assert record.id == given["id"] == given["external_id"]
    assert record.fields["answer"] == given["fields"]["answer"]
    assert set(record.fields) == fields
    for made in (*record.suggestions, *record.responses):
        assert made.question_name in questions
        for span in made.value if made.question_name == "unsupported" else ():
            assert span["label"] in reasons
            assert record.fields["answer"][span["start"] : span["end"]].strip()
            spans += 1
    for response in record.responses:
        assert str(response.status) in (
            "submitted",
            "ResponseStatus.submitted",
            "discarded",
            "ResponseStatus.discarded",
        )
(theirs / "records.json").unlink(missing_ok=True)
JsonIO.to_json(records, theirs / "records.json")
print(f"argilla: {len(records)} records, {spans} spans")
