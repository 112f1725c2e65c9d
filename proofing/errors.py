"""What the engine raises. Every message is one plain sentence: what, where, how to mend."""

from __future__ import annotations


class ProofingError(Exception):
    """Base of everything the engine raises on purpose."""


class BadInput(ProofingError):
    """The input cannot be read as given; the message says what, where, and how to mend it."""


class Refused(ProofingError):
    """The input is well formed but too little or unfit for what was asked (too few labels, scores out of range)."""
