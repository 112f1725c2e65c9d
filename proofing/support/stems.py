"""Light stems: enough to see that "books" and "book", "refunded" and "refund" are one word.

The aim is agreement between two texts, not linguistics: a stem is a key, never shown to anyone. English gets
its own rules (plural, past, -ing, -ly, doubled consonants); other languages get a short list of endings that
are cut as long as four letters stay.
"""

from __future__ import annotations

import re
from functools import lru_cache

from proofing.support.wordset import word_set

#: Endings cut in languages other than English, longest first; the first that leaves enough is cut.
ENDINGS: dict[str, tuple[str, ...]] = {
    "de": ("ungen", "ern", "em", "en", "er", "es", "st", "te", "e", "n", "s", "t"),
    "fr": ("issent", "ements", "ement", "aient", "ions", "ait", "ant", "ent", "ées", "ée", "és", "er", "ez", "es",
           "é", "e", "s", "x"),
    "es": ("amientos", "amiento", "aciones", "ación", "iendo", "ando", "aron", "ieron", "ados", "adas", "idos",
           "idas", "ado", "ada", "ido", "ida", "ar", "er", "ir", "os", "as", "es", "o", "a", "e", "s"),
    "it": ("azioni", "azione", "ando", "endo", "ati", "ate", "ato", "ata", "iti", "ite", "ito", "ita", "are",
           "ere", "ire", "o", "a", "i", "e"),
    "pt": ("ações", "ação", "ando", "endo", "indo", "aram", "eram", "ados", "adas", "idos", "idas", "ado", "ada",
           "ido", "ida", "ar", "er", "ir", "os", "as", "es", "o", "a", "e", "s"),
    "ru": ("иями", "ями", "ами", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ять", "ить", "ает", "ает", "ая",
           "яя", "ое", "ее", "ые", "ие", "ый", "ий", "ой", "ей", "ом", "ем", "ам", "ям", "ах", "ях", "ов", "ев",
           "а", "я", "о", "е", "ы", "и", "у", "ю", "ь"),
}  # fmt: skip

IRREGULAR: dict[str, str] = {
    "went": "go", "gone": "go", "goes": "go", "going": "go", "was": "be", "were": "be", "is": "be", "are": "be",
    "been": "be", "being": "be", "am": "be", "has": "have", "had": "have", "having": "have", "does": "do",
    "did": "do", "done": "do", "doing": "do", "said": "say", "says": "say", "made": "make", "took": "take",
    "taken": "take", "gave": "give", "given": "give", "got": "get", "gotten": "get", "came": "come", "kept": "keep",
    "held": "hold", "paid": "pay", "sold": "sell", "bought": "buy", "sent": "send", "spent": "spend", "met": "meet",
    "led": "lead", "left": "leave", "lost": "lose", "won": "win", "found": "find", "founded": "founded",
    "ran": "run", "running": "run", "began": "begin", "begun": "begin", "wrote": "write", "written": "write",
    "knew": "know", "known": "know", "grew": "grow", "grown": "grow", "rose": "rise", "risen": "rise",
    "fell": "fall", "fallen": "fall", "saw": "see", "seen": "see", "thought": "think", "brought": "bring",
    "built": "build", "chose": "choose", "chosen": "choose", "drove": "drive", "driven": "drive", "ate": "eat",
    "eaten": "eat", "felt": "feel", "flew": "fly", "flown": "fly", "broke": "break", "broken": "break",
    "spoke": "speak", "spoken": "speak", "stood": "stand", "taught": "teach", "told": "tell", "wore": "wear",
    "worn": "wear", "stole": "steal", "stolen": "steal", "caught": "catch", "fought": "fight", "hid": "hide",
    "hidden": "hide", "shown": "show", "slept": "sleep", "swam": "swim", "swum": "swim", "threw": "throw",
    "thrown": "throw", "understood": "understand", "woke": "wake", "men": "man", "women": "woman",
    "children": "child", "people": "person", "feet": "foot", "teeth": "tooth", "mice": "mouse", "geese": "goose",
    "lives": "life", "wives": "wife", "knives": "knife", "leaves": "leave", "shelves": "shelf", "halves": "half",
    "wolves": "wolf", "loaves": "loaf", "thieves": "thief", "criteria": "criterion", "phenomena": "phenomenon",
    "analyses": "analysis", "crises": "crisis", "indices": "index", "indexes": "index", "lying": "lie",
    "dying": "die", "died": "die", "dies": "die", "tied": "tie", "ties": "tie", "tying": "tie", "lied": "lie",
    "forbidden": "forbid", "forbade": "forbid", "shut": "shut", "shrank": "shrink", "shrunk": "shrink", "sank": "sink",
    "sunk": "sink", "cut": "cut", "put": "put", "lent": "lend", "bent": "bend", "forgot": "forget",
    "forgotten": "forget", "arose": "arise", "became": "become", "drank": "drink", "drew": "draw", "drawn": "draw",
    "froze": "freeze", "frozen": "freeze", "sought": "seek", "shot": "shoot", "sang": "sing", "sung": "sing",
    "swore": "swear", "sworn": "swear", "tore": "tear", "torn": "tear", "withdrew": "withdraw", "withdrawn": "withdraw",
    "better": "good", "best": "good", "worse": "bad", "worst": "bad", "cannot": "can",
}  # fmt: skip

#: "Neighbours" is "neighbors"; "hours", "yours", "flour" stay what they are.
_OUR = re.compile(
    r"^((?:un|mis|dis)?(?:arb|arm|behavi|cand|clam|col|fav|flav|glam|harb|hon|hum|lab|neighb|od|parl|rig|rum|sav|splend|"
    r"tum|val|vap|vig))our"
)
_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")
_SHORT_ING = word_set(
    "thing king ring sing bring spring string wing sting swing cling ping ding zing something anything",
    "nothing everything morning evening ceiling during building wedding pudding clothing",
)
_SHORT_ED = word_set(
    "need seed feed speed breed bleed indeed exceed proceed succeed weed reed deed hundred red bed shed",
)
_KEPT_S = word_set(
    "this his its us bus gas yes plus thus always news analysis basis series species perhaps less across",
    "was has is as various previous virus status bonus campus focus census",
)


@lru_cache(maxsize=16384)
def stem_of(word: str, language: str = "en") -> str:
    """The stem of one case-folded word.

    Args:
        word: a case-folded word without white space; anything may be in it.
        language: two-letter code; unknown languages are left as they are.

    >>> stem_of("cancelled"), stem_of("cancels"), stem_of("policies"), stem_of("making")
    ('cancel', 'cancel', 'policy', 'mak')
    """
    if language == "en":
        return _english(word)
    endings = ENDINGS.get(language)
    if endings is None or len(word) < 5:
        return word
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            stem = word[: -len(ending)]
            return stem.removesuffix("i") if language == "it" else stem  # "spiaggia" and "spiagge", "servizio"
    return word


def _english(word: str) -> str:
    known = IRREGULAR.get(word)
    if known is not None:
        return _without_final_e(known)
    if len(word) <= 3 or not word.isalpha():
        return word
    if "our" in word:
        word = _OUR.sub(r"\1or", word)
    word = _without_plural(word)
    if word.endswith("ing") and len(word) >= 5 and word not in _SHORT_ING:
        return _mended(word[:-3])
    if word.endswith("ied") and len(word) >= 5:
        return word[:-3] + "y"
    if word.endswith("ed") and len(word) >= 4 and word not in _SHORT_ED:
        return _mended(word[:-2])
    if word.endswith("ly") and len(word) >= 6:
        return _without_final_e(word[:-3] + "y" if word.endswith("ily") else word[:-2])
    return _without_final_e(word)


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word in _KEPT_S or word.endswith(("ss", "ous", "sis", "itis")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("us"):
        return word
    return word[:-1]


def _mended(stem: str) -> str:
    """`stem` after -ing or -ed is gone: undouble, drop a final e so that make/making and use/used meet."""
    if not any(letter in _VOWELS for letter in stem):
        return stem
    if len(stem) == 2:
        return stem + "e"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        if stem[-1] not in _KEPT_DOUBLE or (stem[-1] == "l" and len(stem) > 5):
            return stem[:-1]
        return stem
    return _without_final_e(stem)


def _without_final_e(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
