"""Service "24/7" or "around the clock" where a source gives the hours of it, or its days."""

from __future__ import annotations

import re

from proofing.documents import Sentence
from proofing.support.alignment import near_sentences
from proofing.support.base import Judgement
from proofing.support.clauses import clause_around
from proofing.support.polarity_words import signs_of
from proofing.support.reading import Proof, TextView, receipt_on

_ALWAYS = re.compile(
    r"24\s?/\s?7|\b(?:around|round)[ -]the[ -]clock\b|\b24[ -]hours?(?: a day|,? (?:7|seven) days)\b|\bat all hours\b"
    r"|\bday and night\b|\brund um die uhr\b|\b24 stunden am tag\b|\b24 heures sur 24\b|\bjour et nuit\b"
    r"|\blas 24 horas\b|\b24 ore su 24\b|\bкруглосуточно\b",
    re.IGNORECASE,
)
#: Days of the week that a source limits it to.
_SOME_DAYS = re.compile(
    r"\b(?:on )?(?:weekdays|working days|business days|business hours|office hours|werktags|jours ouvrés"
    r"|días laborables|giorni feriali|dias úteis)\b"
    r"|\b(?:monday|montag|lundi|lunes|lunedì|segunda)\w* ?(?:to|through|until|[-–]|bis|au|a)"
    r" ?(?:friday|freitag|vendredi|viernes|venerdì|sexta)\b",
    re.IGNORECASE,
)
#: So much of what else the answer says of it the source must say.
SAID = 0.999
#: Words by which a source says the same more loosely.
_LOOSELY = re.compile(
    r"\b(?:at any (?:time|hour)|any time|always|24 h(?:ours?)?|jederzeit|immer|à toute heure|toujours|siempre"
    r"|a cualquier hora|sempre|a qualsiasi ora|a qualquer hora|всегда)\b",
    re.IGNORECASE,
)


def judge_round_the_clock(proof: Proof) -> list[Judgement]:
    """``contradicted`` on the words for "always" where the sources limit the same to hours or days."""
    answer = proof.answer
    found = []
    for said in _ALWAYS.finditer(answer.text):
        sentence = answer.sentence_at(said.start())
        if sentence is None or signs_of(answer).denies_between(sentence.first_token, sentence.last_token):
            continue
        judgement = _limited(proof, sentence, said.start(), said.end())
        if judgement is not None:
            found.append(judgement)
    return found


def denies_always(answer: TextView, sentence: Sentence, view: TextView, theirs: Sentence) -> bool:
    """Whether the answer denies only that it is always so, and the source, which says when it is, agrees."""
    said = _ALWAYS.search(answer.text, sentence.start, sentence.end)
    if said is None or _ALWAYS.search(view.text, theirs.start, theirs.end) is not None:
        return False
    return signs_of(answer).denies_between(sentence.first_token, answer.token_index_at(said.start()))


def _limited(proof: Proof, sentence: Sentence, start: int, end: int) -> Judgement | None:
    answer = proof.answer
    words = {
        answer.stems[i] for i in clause_around(answer, answer.token_index_at(start))
        if answer.content[i] and answer.tokens[i].kind == "word" and not start <= answer.tokens[i].start < end
    }  # fmt: skip
    best: tuple[TextView, int, int] | None = None
    for index in near_sentences(proof, sentence):
        view, theirs = proof.located(index)
        held = set(view.content_stems_in(theirs))
        if not words or len(words & held) < SAID * len(words):
            continue
        if _ALWAYS.search(view.text, theirs.start, theirs.end) or _LOOSELY.search(view.text, theirs.start, theirs.end):
            return None
        best = best or _limit_in(view, theirs)
    if best is None:
        return None
    view, first, last = best
    note = f"the source says {' '.join(view.text[first:last].split())!r}"
    return Judgement(
        start, end, answer.text[start:end], "time", 0.0, "contradicted", receipt_on(view, first, last, note), (),
        "rule", note, channel="values",
    )  # fmt: skip


def _limit_in(view: TextView, sentence: Sentence) -> tuple[TextView, int, int] | None:
    """Where a sentence gives hours or working days."""
    for value in view.values_between(sentence.start, sentence.end):
        if value.dimension == "range:clock":
            return view, value.start, value.end
    days = _SOME_DAYS.search(view.text, sentence.start, sentence.end)
    return (view, *days.span()) if days else None
