"""Values told of an earlier time: "there were nine rooms before the annex was added", where the source gives today's.

A source that says how it is now says nothing about how it was. Such a value is not backed, but neither does the present
one contradict it, and nobody may put the present one in its place. Where a source itself speaks of the earlier time its
value is held against the answer's as any other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from proofing.support.base import Judgement
from proofing.support.ledger import Ledger
from proofing.support.places import Place, evidence_at
from proofing.support.reading import TextView
from proofing.support.wrong import is_bound, ranked_candidates

_EARLIER = re.compile(
    r"\b(?:used to|formerly|originally|previously|initially|at first|in the past|back then|at the time|in those days"
    r"|prior to|earlier|once|before|until|till|back in|no longer|former|old|previous|original|initial"
    r"|früher\w*|ehemals|ursprünglich\w*|zuvor|zunächst|anfangs|vorher|damals|einst|bevor|vor de[mrn]|bis \d{4}"
    r"|alte[nrs]?|autrefois|auparavant|initialement|à l['’]origine|avant|jusqu['’]en|jadis|anciennement|ancien(?:ne)?s?"
    r"|antes|anteriormente|originalmente|inicialmente|hasta (?:el )?\d{4}|solían?|antigu[ao]s?|al principio"
    r"|prima|un tempo|in passato|originariamente|inizialmente|fino al|in origine|precedente|vecchi[ao]"
    r"|até \d{4}|costumava|antig[ao]s?|no início|anterior"
    r"|раньше|прежде|прежн\w+|первоначально|изначально|ранее|до \d{4}|когда-то|стар\w+)\b",
    re.IGNORECASE,
)
#: Verbs that tell how it was; by language, as one's past looks like another's present.
_PAST_VERBS = {
    "en": r"was|were|had|did|used to|paid|held|stood|sold|ran|(?<!is )(?<!are )(?<!be )(?:cost|numbered|counted|charged"
    r"|seated|housed|employed|offered|totalled|measured|weighed|lasted|covered|allowed|opened|closed|started)",
    "de": r"waren?|hatten?|gab|galt(?:en)?|betrug(?:en)?|lag(?:en)?|zählten?|kosteten?|umfassten?|dauerten?|zahlten?"
    r"|arbeiteten|bot(?:en)?|fasste|erhob",
    "fr": r"étai(?:t|ent)|avai(?:t|ent)|fut|furent|(?:compt|coût|dur|pay|mesur|accueill|employ|factur)ai(?:t|ent)",
    "es": r"eran?|había|tenían?|fue|fueron|(?:cost|cont|dur|pag|cobr|emple|qued)aban?|medían?|solían?",
    "it": r"era|erano|aveva|avevano|fu|furono|(?:cost|cont|dur|ospit|pag|misur|impieg)ava(?:no)?|comprendevano?",
    "pt": r"era|eram|havia|tinham?|foi|foram|(?:cust|cont|dur|pag|cobr|empreg|fic)avam?|costumavam?",
    "ru": r"был[аои]?|стоил[аои]?|насчитывал[аои]?|имел[аои]?|длил(?:ся|ась|ись)|составлял[аои]?|работал[аои]?|платили",
}
_PAST = {language: re.compile(rf"\b(?:{verbs})\b", re.IGNORECASE) for language, verbs in _PAST_VERBS.items()}
#: What a source says of the present, even with a verb of the past.
_NOW = re.compile(
    r"\b(?:now|today|currently|nowadays|at present|(?:raised|reduced|increased|cut|changed|lowered|expanded|grown"
    r"|fallen|extended|shortened) to|heute|jetzt|derzeit|mittlerweile|inzwischen|aujourd['’]hui|maintenant|actuellement"
    r"|hoy|ahora|actualmente|oggi|adesso|attualmente|hoje|agora|atualmente|сейчас|теперь|сегодня)\b",
    re.IGNORECASE,
)
#: What parts two statements of one sentence that may be of two times.
_PARTING = re.compile(
    r"[;:—]|,?\s(?:but|and now|while now|aber|mais|pero|ma|mas|но)\s|,\s(?=(?:now|today|heute|jetzt|aujourd|hoy|ahora"
    r"|oggi|hoje|agora|сейчас|теперь))",
    re.IGNORECASE,
)
#: Kinds that change with time: what a thing costs, counts and measures.
KINDS = frozenset({"number", "money", "percent", "quantity", "duration", "range", "time"})


def judge_former(ours: Place, ledger: Ledger) -> Judgement | None:
    """``absent`` on a value of an earlier time where all that the sources give for it is the present one; else None."""
    if ours.value.kind not in KINDS or ours.structure != "prose" or not _is_former(ours):
        return None
    bound = [(place, kin) for place, kin in ranked_candidates(ours, ledger) if is_bound(ours, place)]
    if not bound:
        return None
    top = max(kin for _, kin in bound)
    best = [place for place, kin in bound if kin == top]
    if any(_is_past(place) for place, _ in bound) or not all(_is_present(place) for place in best):
        return None
    note = f"told of an earlier time; the source only says {' '.join(best[0].value.text.split())} without one"
    value = ours.value
    return Judgement(
        value.start, value.end, value.text, value.kind, 0.0, "absent", evidence_at(best[0], note), (), "arithmetic",
        note, channel="values",
    )  # fmt: skip


@lru_cache(maxsize=64)  # asked for every value of a statement, and a hostile one may have thousands
def _is_earlier(said: str) -> bool:
    return _EARLIER.search(said) is not None


@lru_cache(maxsize=64)
def _is_now(said: str) -> bool:
    return _NOW.search(said) is not None


def _is_former(place: Place) -> bool:
    """Whether a value's own statement tells of an earlier time, and of no other."""
    said = statement_of(place)
    return _is_earlier(said) and _tells_of_the_past(place, said) and not _is_now(said)


def _is_past(place: Place) -> bool:
    """Whether a source's statement tells of an earlier time, among others."""
    said = statement_of(place)
    return _is_earlier(said) and _tells_of_the_past(place, said)


def _is_present(place: Place) -> bool:
    said = statement_of(place)
    return _is_now(said) or not _tells_of_the_past(place, said)


def tells_of_earlier(place: Place) -> bool:
    """Whether a value's own statement may be of an earlier time."""
    said = statement_of(place)
    return _is_earlier(said) or _tells_of_the_past(place, said)


def _tells_of_the_past(place: Place, said: str) -> bool:
    past = _PAST.get(place.view.language)
    return past is not None and past.search(said) is not None


def statement_of(place: Place) -> str:
    """The part of its sentence that a value belongs to."""
    view: TextView = place.view
    if place.sentence < 0:
        return view.text[slice(*place.zone)]
    sentence = view.sentences[place.sentence]
    start, end = sentence.start, sentence.end
    for found in _PARTING.finditer(view.text, sentence.start, sentence.end):
        if found.end() <= place.value.start:
            start = found.end()
        elif found.start() >= place.value.end:
            end = found.start()
            break
    return view.text[start:end]
