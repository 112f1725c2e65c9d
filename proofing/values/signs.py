"""What makes a number negative: a minus and not a dash, "below zero", an accountant's parenthesis, a loss.

>>> is_minus("at -5", 3), is_minus("5 -7", 2), is_minus("9-5", 1)
(True, False, False)
"""

from __future__ import annotations

import re

from proofing.values.page import endings

BELOW_ZERO = re.compile(r"[ ](?:below zero|unter null|bajo cero|sous zéro|sotto zero|abaixo de zero|ниже нуля)\b")
#: "Al menos", "au moins", "pelo menos" bound what follows and make nothing negative.
MINUS_WORD = re.compile(
    r"(?:\b(?:minus|negative|минус)|(?<!\bal )(?<!\blo )(?<!\bau )(?<!\bdu )(?<!\bpelo )(?<!\bao )(?<!\bno )(?<!\bnão )(?<!\bnon )\b(?:menos|moins|meno))[ ]$"
)
#: The last two letters of what `MINUS_WORD` and `LOSS` look for before a number and its blank.
MINUS_ENDINGS = endings("minus negative menos moins meno минус".split())
LOSS_ENDINGS = endings(
    "loss losses deficit shortfall verlust pérdida perte perdita prejuízo убыток of von "
    "de di fell falls fallen dropped declined decreased shrank shrunk contracted slipped dipped lost down by".split()
)
LOSS = re.compile(
    r"\b(?:net |operating |annual |quarterly )?(?:loss|losses|deficit|shortfall|verlust|pérdida|perte|perdita|prejuízo|убыток)(?: (?:of|von|de|di))?[ ]$"
    r"|\b(?:fell|falls|fallen|dropped|declined|decreased|shrank|shrunk|contracted|slipped|dipped|lost|down)(?: by)?[ ]$"
)
#: Behind an amount: what is owed and not owned.
OVERDRAWN = re.compile(r"[ ](?:overdrawn|in the red|in debt|in deficit|below zero)\b")
#: What "below zero" and its like, or `OVERDRAWN`, begin with behind an amount.
BEHIND = frozenset({" b", " u", " s", " a", " н", " o", " i"})
ACCOUNT = re.compile(r"(?:^|[|\t:=>]|\b(?:was|were|is|of|to|at|reached|totaled|totalled|shows|showed|posted)\b)[ ]?$")


def closes(text: str, end: int) -> bool:
    return text[end : end + 1] == ")"


def is_minus(text: str, at: int) -> bool:
    """Whether the dash at `at`, right before a digit, is a minus: nothing it could join or part stands before it."""
    if at == 0:
        return True
    before = text[at - 1]
    if text[at] == "–" and not (before in "(|\t" or (before == " " and text[at - 2 : at - 1].isalpha())):
        return False
    if before in " \u00a0":
        return not text[max(0, at - 2) : at - 1].isdigit()
    return before in "\n\t([{|:,;=<>~≈\"'“‘*" or before.isspace()
