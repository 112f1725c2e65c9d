"""How far the sources back each word of an answer: one channel per file, each with the same method.

`reading` holds what every channel reads, `base` what every channel returns. A channel reports
judgements and decides nothing: joining them into marks is the work of `proofing.marks`.
"""
