"""Turn a checkpoint of the cross-encoder into the reader that ships: an 8-bit ONNX file and its tokenizer.

    python -m bench.train.export_reader --checkpoint FILE --out proofing/learning/data [--data DIR]

Weights of matrix products are kept in 8 bits per output channel, activations are quantised as they come
(onnxruntime's dynamic quantisation). With `--data` it also reads some windows of fold 1 with both and says how
far the 8-bit numbers are from those of the checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")


#: The matrices of a layer, and what the graph calls their products in the last one.
PARTS = {
    "attention.self.query": "/query", "attention.self.key": "/key", "attention.self.value": "/value",
    "attention.output.dense": "/output/dense", "intermediate.dense": "/intermediate/dense",
    "output.dense": "/output/dense_1",
}  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--checkpoint", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--base", default=None, help="folder of the encoder it was trained from")
    options.add_argument("--data", type=Path, help="folder of the sets, to compare with the checkpoint")
    options.add_argument("--sentences", type=int, default=300)
    given = options.parse_args()

    import torch

    from bench.train.cross_encoder import packaged_base, reader_of

    torch.set_num_threads(1)
    base = given.base or packaged_base()
    reader = reader_of(base)
    state = torch.load(given.checkpoint, map_location="cpu")
    reader.load_state_dict(state["reader"])
    reader.eval()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "whole.onnx"
        export(reader, whole)
        quantise(whole, given.out / "reader.onnx")
    vocabulary = json.loads((Path(base) / "tokenizer.json").read_text("utf-8"))
    vocabulary["padding"] = vocabulary["truncation"] = None
    kept = json.dumps(vocabulary, ensure_ascii=False, separators=(",", ":"))
    (given.out / "reader_tokenizer.json").write_text(kept, encoding="utf-8")
    size = (given.out / "reader.onnx").stat().st_size
    print(f"step {state['step']}: wrote {given.out}/reader.onnx ({size / 1e6:.1f} MB)")
    if given.data:
        compare(reader, base, given)


def export(reader, target: Path) -> None:
    """The reader as ONNX for one sentence at a time: nothing is padded, so there is no mask.

    Only the first place and those of the sentence are asked for at the end, so the last layer works out no others;
    ``words`` holds them in this order.
    """
    import torch

    class Unpadded(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.reader = reader

        def forward(self, ids, kinds):
            body = self.reader.body
            hidden = body.embeddings(input_ids=ids, token_type_ids=kinds)
            for layer in body.encoder.layer[:-1]:
                found = layer(hidden, attention_mask=None)
                hidden = found[0] if isinstance(found, tuple) else found
            asked = torch.cat([torch.zeros(1, dtype=torch.int64), torch.nonzero(kinds[0])[:, 0]])
            hidden = self.last(body.encoder.layer[-1], hidden, hidden.index_select(1, asked))
            return self.reader.sentence(hidden[:, 0]).squeeze(-1), self.reader.token(hidden).squeeze(-1)

        @staticmethod
        def last(layer, hidden, asked):
            """The layer's output at the places `asked`, which look at all of `hidden`."""
            own = layer.attention.self
            heads, width = own.num_attention_heads, own.attention_head_size

            def split(states):
                return states.view(1, -1, heads, width).transpose(1, 2)

            scores = split(own.query(asked)) @ split(own.key(hidden)).transpose(2, 3) / width**0.5
            context = (scores.softmax(-1) @ split(own.value(hidden))).transpose(1, 2).reshape(1, -1, heads * width)
            attended = layer.attention.output(context, asked)
            return layer.output(layer.intermediate(attended), attended)

    ids, kinds = torch.ones((1, 8), dtype=torch.int64), torch.tensor([[0, 0, 0, 0, 0, 1, 1, 1]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns about branches that a fixed model never takes
        torch.onnx.export(
            Unpadded().eval(), (ids, kinds), str(target), input_names=["ids", "kinds"],
            output_names=["sentence", "words"], dynamo=False, opset_version=17,
            dynamic_axes={"ids": {1: "length"}, "kinds": {1: "length"}, "words": {1: "asked"}},
        )  # fmt: skip


def quantise(whole: Path, target: Path) -> None:
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    heads = [n.name for n in onnx.load(str(whole)).graph.node if n.name.startswith(("/sentence", "/token", "/reader/"))]
    heads = [name for name in heads if name.endswith(("/sentence/Gemm", "/token/MatMul"))]
    quantize_dynamic(
        str(whole), str(target), per_channel=True, weight_type=QuantType.QInt8, nodes_to_exclude=heads
    )  # fmt: skip


def weights_of(file: Path) -> dict[str, Any]:
    """The weights of a shipped reader as a state of `cross_encoder.reader_of`, out of their 8 bits."""
    import onnx
    import torch
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    held = {i.name: numpy_helper.to_array(i).astype("float32") for i in graph.initializer}
    used = {n.name: n.input[1] for n in graph.node if n.op_type in ("MatMulInteger", "MatMul") and n.input[1:]}

    def whole(name: str) -> Any:
        scale, zero = held[f"{name}_scale"], held[f"{name}_zero_point"]
        return (held[f"{name}_quantized"] - zero) * scale

    state = {
        n.removeprefix("reader."): held[n]
        for n in held
        if n.startswith("reader.") and n.endswith(("bias", "LayerNorm.weight"))
    }
    for kind in ("word", "position", "token_type"):
        state[f"body.embeddings.{kind}_embeddings.weight"] = whole(f"reader.body.embeddings.{kind}_embeddings.weight")
    layers = 1 + max(int(n.split(".")[3]) for n in state if n.startswith("body.encoder.layer."))
    for layer in range(layers):
        for part, last in PARTS.items():
            node = last if layer == layers - 1 else f"/layer.{layer}/{part.replace('.', '/')}"
            weight = whole(used[f"{node}/MatMul_quant"].removesuffix("_quantized"))
            state[f"body.encoder.layer.{layer}.{part}.weight"] = weight.T
    state["token.weight"] = held[used["/token/MatMul"]].T
    state["sentence.weight"] = whole("reader.sentence.weight_Transposed").T
    return {name: torch.tensor(value.copy()) for name, value in state.items()}


def compare(reader, base: str, given) -> None:
    """How far 8 bits are from the checkpoint on windows of fold 1."""
    import numpy as np
    import torch
    from transformers import AutoTokenizer

    from bench.train.cross_encoder import MAX_TOKENS, encoded, pairs
    from proofing.learning import reader as served

    rng = random.Random(5)
    chosen = pairs(given.data, {1}, sets=("ragtruth_train",), most=400)
    chosen = rng.sample(chosen, min(given.sentences, len(chosen)))
    tokenizer = AutoTokenizer.from_pretrained(base)
    own = served.reader_of(
        (given.out / served.MODEL).read_bytes(), (given.out / served.TOKENIZER).read_text("utf-8")
    )  # fmt: skip
    whole, short, labels, words = [], [], [], []
    for pair in chosen:
        inputs, _, _ = encoded(tokenizer, [pair], torch, "cpu")
        with torch.no_grad():
            score, tokens = reader(**inputs)
        score_of, found = own._read(f"{pair[0]} {pair[1]}".strip(), pair[2])
        sides = tokenizer(f"{pair[0]} {pair[1]}".strip(), pair[2], truncation="longest_first", max_length=MAX_TOKENS)
        kept = [t for t, side in zip(tokens[0].tolist(), sides.sequence_ids(0), strict=True) if side == 1]
        words += list(zip(kept, [odds for *_, odds in found], strict=True))
        whole.append(float(score[0]))
        short.append(score_of)
        labels.append(pair[4])
    a, b = np.array(whole), np.array(short)
    pieces = np.array(words)
    print(
        f"{len(chosen)} sentences: correlation {np.corrcoef(a, b)[0, 1]:.4f}, mean difference {abs(a - b).mean():.3f}"
    )
    print(f"{len(pieces)} word pieces: correlation {np.corrcoef(pieces.T)[0, 1]:.4f}")
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError:
        sys.exit(0)
    print(f"AUROC by sentence: checkpoint {roc_auc_score(labels, a):.4f}, 8 bits {roc_auc_score(labels, b):.4f}")


if __name__ == "__main__":
    main()
