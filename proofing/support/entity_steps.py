"""The steps of a spaCy entity recognizer, taken from Python: the same names in less time.

The recognizer goes through a text token by token and chooses at each among its moves (begin a name, stay in it, stay
outside). Its own compiled loop takes and gives back Python's global lock hundreds of times a token, which costs as much
as the network that gives the tokens their vectors. Here the moves outside a name are scored for all tokens in one
product, and only tokens inside a name are scored one by one. Which moves are allowed is still spaCy's to say.
"""

from __future__ import annotations

from typing import Any

#: What a state of the recognizer looks at: the next token, the first and the last of the name it is in.
FEATURES = 3


def steps_known(pipeline: Any) -> bool:
    """Whether this pipeline is one greedy recognizer of the common kind and nothing else, as `read_stepwise` needs."""
    if len(pipeline.pipeline) != 1:
        return False
    recognizer = pipeline.pipeline[0][1]
    model = recognizer.model
    return bool(
        getattr(recognizer, "cfg", {}).get("beam_width") == 1
        and model.attrs.get("has_upper")
        and not model.attrs.get("unseen_classes")
        and model.has_ref("lower")
        and model.get_ref("lower").maybe_get_dim("nF") == FEATURES
    )


def read_stepwise(pipeline: Any, text: str) -> Any:
    """The document of `text` with its names, as ``pipeline(text)`` gives it.

    Raises:
        ValueError: the text is longer than spaCy accepts.
    """
    import numpy as np

    recognizer = pipeline.pipeline[0][1]
    doc = pipeline.make_doc(text)
    if not len(doc):
        return doc
    scorer = recognizer.model.predict([doc])
    outside = np.full((len(doc), FEATURES), -1, dtype=np.int32)
    outside[:, 0] = np.arange(len(doc))
    scores = _scores(scorer, outside)
    batch = states = recognizer.moves.init_batch([doc])
    while states:
        seen = scorer.get_token_ids(states)
        token, opened = int(seen[0, 0]), int(seen[0, 1])
        own = scores[token : token + 1] if opened < 0 else _scores(scorer, seen)
        states = recognizer.transition_states(states, own)
    scorer.clear_memory()
    recognizer.set_annotations([doc], batch)
    return doc


def _scores(scorer: Any, seen: Any) -> Any:
    """float32 array ``(states, moves)`` for the tokens each state sees, an int32 array ``(states, FEATURES)``."""
    return scorer.vec2scores.predict(scorer.state2vec.predict(seen))
