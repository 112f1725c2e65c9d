"""Opening an ONNX model, the same way wherever one is served; onnxruntime is imported with the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

#: Steps that onnxruntime joins and is then slower at: its "add and normalise" takes ten times as long as the two alone.
APART = ["SkipLayerNormFusion"]


def session_of(model: str | bytes) -> InferenceSession:
    """A session on one thread of the processor, so that figures do not depend on how many cores there are.

    Args:
        model: the path of the ONNX file, or its bytes.

    Raises:
        ImportError: onnxruntime is not installed.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"], disabled_optimizers=APART)
