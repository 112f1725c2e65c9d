"""datasets loads the folder with the features its card declares (Parquet), and its JSON Lines to the same rows."""

import json
import shutil
import sys
from pathlib import Path

import datasets

ours, theirs = Path(sys.argv[1]) / "datasets", Path(sys.argv[2])
datasets.disable_progress_bars()
loaded = datasets.load_dataset(str(ours), cache_dir=str(theirs / "cache"))
files = {name: str(ours / "data" / f"{name}.jsonl") for name in loaded}
plain = datasets.load_dataset(
    "json", data_files=files, features=loaded["train"].features, cache_dir=str(theirs / "cache")
)
assert set(loaded) == set(plain) == {"train", "test"}
for name in loaded:
    lines = [json.loads(line) for line in (ours / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert loaded[name].features == plain[name].features, (loaded[name].features, plain[name].features)
    assert list(loaded[name]) == list(plain[name]) == lines
    assert loaded[name].info.splits[name].num_examples == len(lines)
    for row in loaded[name]:
        for label in row["labels"] or ():
            assert row["answer"][label["start"] : label["end"]] == label["text"]
    loaded[name].to_json(theirs / f"{name}.jsonl", force_ascii=False)
    loaded[name].to_parquet(theirs / f"{name}.parquet")
shutil.rmtree(theirs / "cache")
rows = sum(len(split) for split in loaded.values())
print(f"datasets: {rows} rows, {len(loaded['train'].features)} columns")
