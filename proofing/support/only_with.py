""" "Not without" and "only with": "may not enter without consent" says what "may enter only with consent" says."""

from __future__ import annotations

from proofing.documents import Sentence
from proofing.support.denials import denials_in
from proofing.support.polarity_words import WITHOUT, signs_of
from proofing.support.reading import TextView
from proofing.support.wordset import word_set

#: Words that make what follows or precedes them a condition, beside "only".
REQUIRING = word_set(
    "requires require required needs needed need necessary mandatory must erforderlich nötig notwendig braucht muss "
    "nécessaire obligatoire requis exige necesario necesaria requiere exige obligatorio necessario necessaria richiede "
    "necessário necessária exige requer требуется необходимо нужно нужен нужна"
)
#: So many tokens behind "without" what is required is named.
REACH = 6


def not_without_is_only_with(answer: TextView, sentence: Sentence, view: TextView, theirs: Sentence) -> bool:
    """Whether one sentence denies something without a thing, and the other allows it with that thing alone."""
    return _agree(answer, sentence, view, theirs) or _agree(view, theirs, answer, sentence)


def _agree(denying: TextView, sentence: Sentence, limiting: TextView, other: Sentence) -> bool:
    places = denials_in(denying, range(sentence.first_token, sentence.last_token))
    without = next((i for i in places if denying.folds[i] in WITHOUT), None)
    if without is None or len([i for i in places if i != without]) != 1:
        return False
    there = range(other.first_token, other.last_token)
    if any(limiting.folds[i] in WITHOUT for i in there) or signs_of(limiting).denies_between(there.start, there.stop):
        return False
    limits = any(turn.family == "limiter" for turn in signs_of(limiting).turns_in(there))
    if not limits and not any(limiting.folds[i] in REQUIRING for i in there):
        return False
    named = range(without + 1, min(without + 1 + REACH, sentence.last_token))
    stems = {denying.stems[i] for i in named if denying.content[i]}
    return any(limiting.stems[i] in stems for i in there)
