"""Claims: the declarative sentences of an answer that say something checkable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from proofing.checks.courtesies import is_courtesy
from proofing.documents import Sentence
from proofing.support.reading import Proof, TextView

#: Saying that the sources do not say it is no claim about the matter.
_REFUSAL = re.compile(
    r"\b(?:unable to answer|not able to answer|cannot be answered"
    r"|(?:i|we) (?:(?:could|can|do|did)(?:n['’]t| not|not)|can['’]t) (?:find|answer|know|tell|see)"
    r"|(?:kann|können) (?:ich|wir) (?:\w+ ){0,3}nicht beantworten"
    r"|(?:ich|wir) (?:kann|können) (?:\w+ ){0,3}nicht beantworten"
    r"|no (?:lo sé|sé|puedo (?:responder|contestar))|je ne (?:sais pas|peux pas répondre)"
    r"|non (?:lo so|so rispondere|posso rispondere)|não (?:sei|posso responder)|не (?:знаю|могу ответить))\b",
    re.IGNORECASE,
)
_SILENCE = re.compile(
    r"\b(?:(?:do|does|did)(?:n['’]t| not) (?:mention|say|state|specify|contain|provide|cover|answer|tell)|"
    r"(?:no|not enough|insufficient) (?:information|mention|answer)|keine (?:angaben?|informationen?|antwort)|"
    r"nicht (?:genannt|erwähnt|angegeben)|no (?:encuentro|hay|consta|dicen?|mencionan?)|"
    r"ne (?:trouve|dit|disent|mentionnent?|contien\w+) (?:pas|rien)|non (?:trovo|dicono|menzionano)|"
    r"não (?:encontro|dizem|mencionam))\b",
    re.IGNORECASE,
)
#: "The leaflet does not say …": a document of any sort, and a verb of telling denied.
_UNTOLD = re.compile(
    r"\b(?:(?:do|does|did)(?:n['’]t| not) (?:mention|say|state|specify|indicate|tell|list)|makes? no mention"
    r"|(?:no|not any) mention of"
    r"|(?:is|are)(?:n['’]t| not) (?:mentioned|stated|specified|given|indicated|listed) (?:in|by)"
    r"|nennt kein\w*|macht keine angaben|keine angaben|sagt nichts|wird nicht (?:genannt|erwähnt|angegeben)"
    r"|no (?:se )?(?:menciona|indica|dice|especifica|precisa|aclara)"
    r"|ne (?:mentionne|précise|indique|dit|donne) (?:pas|rien)|n['’]indique (?:pas|rien)"
    r"|non (?:(?:è|viene) )?(?:indica|menziona|dice|specifica|precisa|riporta)(?:t[oa])?"
    r"|não (?:informa|menciona|indica|diz|especifica|traz)"
    r"|не (?:указан[аоы]?|сказано|упомянут[аоы]?|упоминается|указывается|говорится|сообщается))\b",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"\b(?:articles?|brochures?|catalogue?s?|contracts?|emails?|entr(?:y|ies)|flyers?|guides?|handbook|leaflets?"
    r"|letters?"
    r"|listings?|manuals?|menus?|notices?|pages?|policy|policies|posts?|profiles?|records?|reports?|reviews?|sheets?"
    r"|stor(?:y|ies)|stud(?:y|ies)|tables?|websites?|material"
    r"|artikel|broschüre|prospekt|anleitung|bericht|seite|vertrag|tabelle|text"
    r"|artículo|folleto|guía|informe|página|contrato|tabla|manual"
    r"|notice|guide|rapport|contrat|tableau"
    r"|articolo|opuscolo|guida|rapporto|pagina|contratto|tabella|manuale|testo"
    r"|artigo|folheto|guia|relatório|tabela"
    r"|брошюр\w*|стать\w*|текст\w*|документ\w*|источник\w*|отч[её]т\w*|руководств\w*|таблиц\w*|договор\w*"
    r"|страниц\w*)\b",
    re.IGNORECASE,
)
_SOURCES = re.compile(
    r"\b(?:sources?|passages?|documents?|texts?|context|information|excerpts?|quellen?|unterlagen|fuentes?|"
    r"documentos?|textos?|fonti|fontes?)\b",
    re.IGNORECASE,
)
#: One of these stands in every text in which one of the first two finds something.
_HINTS = ("no", "n't", "unable", "insufficient", "keine", "nicht", "ne ", "n'", "can't")
#: Shorter sentences ("Yes.", "Thank you!") make no claim of their own.
CLAIM_WORDS = 4


def claims_of(proof: Proof) -> Sequence[Sentence]:
    """The claims of the answer in text order: sentences of four words or more that are no question, no heading, no
    refusal ("I could not find that in the sources"), no courtesy and none of the healer's own notes; worked out once.
    """
    known: tuple[Sentence, ...] | None = proof.answer.memo.get("claims")
    if known is None:
        known = proof.answer.memo["claims"] = tuple(_read_claims(proof.answer))
    return known


def _read_claims(answer: TextView) -> Iterator[Sentence]:
    for sentence in answer.sentences:
        text = sentence.text.strip()
        if text.endswith(("?", "？", ":")) or is_own_phrase(text) or says_nothing(text) or is_courtesy(text):
            continue
        words = sum(1 for t in answer.tokens[sentence.first_token : sentence.last_token] if t.kind != "sign")
        if words >= CLAIM_WORDS:
            yield sentence


def says_nothing(text: str) -> bool:
    """Whether a sentence only says that the sources, or the answerer, do not know.

    >>> says_nothing("The passages do not mention a price."), says_nothing("The price is not refundable.")
    (True, False)
    """
    if text.isascii() and not any(map(text.lower().__contains__, _HINTS)):
        return False
    if _REFUSAL.search(text):
        return True
    if _UNTOLD.search(text) is not None and _DOCUMENT.search(text) is not None:
        return True
    return _SILENCE.search(text) is not None and _SOURCES.search(text) is not None


def is_own_phrase(text: str) -> bool:
    """Whether a sentence is one the healer itself wrote (a decline, a note that something was removed)."""
    from proofing.healing.phrases import is_own_phrase as own

    return own(text)
