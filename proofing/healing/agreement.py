"""The edits that follow a value edit: billing cycle, plural, verb and article agree with the new value.

Each is a child of the edit that made it necessary, so reverting the parent reverts it. A cycle word changes
only when it speaks about what was corrected: right after the value, after a billing verb, before a billing noun,
and never where a source says the very same words ("monthly report" beside a yearly fee).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from proofing.documents import Sentence
from proofing.healing.counted import counted_children
from proofing.healing.cycles import CycleWord, Form, cycle_words, in_cycle, preferred_forms
from proofing.healing.grammar import article_for, is_plural, plural, singular, third_person, verb_for
from proofing.healing.openings import opening_children
from proofing.healing.receipts import receipt_source
from proofing.healing.verbs import verb_children
from proofing.report import Edit, Mark
from proofing.support.reading import Proof, TextView
from proofing.values import Value, find_values

#: Nouns a billing cycle belongs to: the cycle of a "monthly subscription" follows the price's.
BILLING_NOUNS = frozenset(
    "subscription subscriptions plan plans membership memberships payment payments billing bill bills fee fees price "
    "prices rate rates charge charges instalment instalments installment installments invoice invoices licence "
    "licences license licenses cost costs premium premiums dues renewal renewals contribution contributions cycle "
    "basis subscriber subscribers tariff tariffs rent "
    "suscripción cuota pago plan abonnement beitrag gebühr abbonamento canone assinatura mensalidade".split()
)
_BILLING_VERB = re.compile(
    r"\b(?:bill(?:ed|s|ing)?|charg(?:ed|es|e|ing)|pa(?:id|y|ys|yable|ying)|invoic(?:ed|es|ing)|renew(?:s|ed|ing|able)?|"
    r"collected|due|deducted|debited|costs?|priced|factura(?:do|da|n)?|cobra(?:do|da|n)?|paga(?:do|da|n|ble)?|paie|abgerechnet|bezahlt|"
    r"facturé|facturée|payé)\b[^.;,]{0,24}$",
    re.IGNORECASE,
)
#: German and some English puts the billing verb behind the cycle: "wird monatlich abgerechnet", "monthly payable".
_BILLING_VERB_BEHIND = re.compile(
    r"\s*(?:abgerechnet|abgebucht|berechnet|bezahlt|gezahlt|zahlbar|fällig|kündbar|verlängert|eingezogen|"
    r"billed|charged|paid|payable|due|invoiced|renewed|renewable|facturad[oa]s?|cobrad[oa]s?|pagader[oa]s?)\b",
    re.IGNORECASE,
)
#: Share of a sentence's words (by rarity) that a source sentence must hold to have a say about its cycle.
NEAR_ENOUGH = 0.3
_AFTER_VALUE = re.compile(
    r"[\s*_)]*(?:(?:(?:per|a|an|each|every|al|por|cada|pro|im|par)\s+|/\s*)[*_]*)?$", re.IGNORECASE
)
#: "1 seat is", "1 guest who was", but not past a sign.
_VERB_AFTER = re.compile(r"[ \u00a0*_]+(?:(?:who|that|which)[ \u00a0]+)?([^\W\d_]+(?:['’]t)?)")
#: A number before a noun that it only describes: "a 1-day pass".
_ATTRIBUTE = re.compile(r"[-‑–][^\W\d_]")
_NUMBER = re.compile(r"[\d.,]*\d|[^\W\d_]+(?:-[^\W\d_]+)?")
_OTHER_LANGUAGE = re.compile(
    r"\b(?:[Ll](?:es?|a|os|as)|[Ee]l|[Ii]l|[Dd](?:ella?|u|es)|[Uu](?:nes?|ma?|nas?)|para|por|pour)\b"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def with_agreement(proof: Proof, edits: Sequence[Edit], marks: Sequence[Mark]) -> tuple[Edit, ...]:
    """`edits` and their children, in text order, parents as indexes into the result.

    Args:
        proof: the texts.
        edits: corrections in text order, none with a parent.
        marks: the report's marks; a child names those it covers too.
    """
    chain: list[Edit] = list(edits)
    for index, edit in enumerate(edits):
        if edit.kind != "value":
            continue
        chain += _cycle_children(proof, edit, index, marks, chain)
        chain += _number_children(proof.answer, edit, index, chain, marks[edit.marks[0]].receipt.sentence_text)
        mark = marks[edit.marks[0]]
        for children in (
            counted_children(proof, edit, index, mark),
            verb_children(proof, edit, index, mark),
            opening_children(proof, edit, index, mark),
        ):
            chain += [child for child in children if _free(child.start, child.end, chain)]
    for index, edit in enumerate(tuple(chain)):
        chain += _article_child(proof.answer, edit, index, chain)
    named = [replace(e, marks=_covered(e, marks)) if e.parent is not None else e for e in chain]
    return in_text_order(named)


def in_text_order(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits sorted by position, with `parent` indexes following them."""
    order = sorted(range(len(edits)), key=lambda i: (edits[i].start, edits[i].end, i))
    place = {old: new for new, old in enumerate(order)}
    return tuple(
        edits[i] if edits[i].parent is None else replace(edits[i], parent=place[edits[i].parent or 0]) for i in order
    )


def _covered(edit: Edit, marks: Sequence[Mark]) -> tuple[int, ...]:
    return tuple(i for i, mark in enumerate(marks) if mark.start < edit.end and edit.start < mark.end)


def _free(start: int, end: int, edits: Sequence[Edit]) -> bool:
    return all(end <= edit.start or edit.end <= start for edit in edits)


# Billing cycles


def _cycle_children(proof: Proof, edit: Edit, index: int, marks: Sequence[Mark], taken: Sequence[Edit]) -> list[Edit]:
    mark = marks[edit.marks[0]]
    source = receipt_source(proof, mark)
    value = proof.answer.value_at(mark.start)
    if source is None or value is None or value.kind not in ("money", "quantity", "number", "percent"):
        return []
    cycle, preferred = source_cycle(source, mark)
    if cycle is None:
        return []
    language = proof.answer.language
    home = proof.answer.sentence_at(edit.start)
    children: list[Edit] = []
    for word in cycle_words(proof.answer.text, language):
        sentence = proof.answer.sentence_at(word.start)
        new = in_cycle(word, cycle, preferred)
        if word.cycle == cycle or new is None or sentence is None:
            continue
        if value.period is not None and word.cycle != value.period:
            continue
        if not _free(word.start, word.end, [*taken, *children]):
            continue
        if _follows(proof.answer.text, edit, value, word) or _about_billing(
            proof, word, sentence, sentence == home, cycle
        ):
            children.append(Edit(word.start, word.end, word.text, new, "agreement", (), index, edit.origin))
    return children


def source_cycle(source: TextView, mark: Mark) -> tuple[str | None, Mapping[Form, str]]:
    """The billing cycle of the value a receipt points at, and how the source words it.

    Taken from the value's own period, else from its sentence when that names exactly one cycle.
    """
    said = mark.receipt.sentence_text
    evidence = source.value_at(mark.receipt.start)
    named = list(dict.fromkeys(word.cycle for word in cycle_words(said, source.language)))
    cycle = evidence.period if evidence is not None and evidence.period else (named[0] if len(named) == 1 else None)
    return cycle, ({} if cycle is None else preferred_forms(said, cycle, source.language))


def _follows(text: str, edit: Edit, value: Value, word: CycleWord) -> bool:
    """Whether the word belongs to the corrected value itself: "$19 per month", "$19/mo", "$19 monthly"."""
    end = max(edit.end, value.end)
    return word.start >= end and _AFTER_VALUE.fullmatch(text[end : word.start]) is not None


def _about_billing(proof: Proof, word: CycleWord, sentence: Sentence, at_home: bool, cycle: str) -> bool:
    """Whether a cycle word speaks about paying for what was corrected: after a billing verb, before a billing noun."""
    text = proof.answer.text
    behind = _BILLING_VERB_BEHIND.match(text, word.end) is not None
    if word.form == "adverb" or behind:
        speaks = behind or _BILLING_VERB.search(text[sentence.start : word.start]) is not None
        return speaks and (at_home or _nearest_says(proof, word, sentence, cycle) != word.cycle)
    noun = _WORD.match(text, word.end + 1) if word.form == "adjective" else None
    if noun is None or noun.group().casefold() not in BILLING_NOUNS:
        return False
    said = _nearest_says(proof, word, sentence, cycle)
    if said is not None:
        return said == cycle
    phrase = f"{word.text} {noun.group()}".casefold()
    return not any(phrase in " ".join(view.folds) for view in proof.sources)


def _nearest_says(proof: Proof, word: CycleWord, sentence: Sentence, cycle: str) -> str | None:
    """Which of the two cycles the nearest source sentence names; None when it names neither or both."""
    stems = [s for s in proof.answer.content_stems_in(sentence) if s not in word.text.casefold()]
    nearest = proof.nearest(stems, 1)
    if not nearest or nearest[0][1] < NEAR_ENOUGH:
        return None
    view, near = proof.located(nearest[0][0])
    said = {w.cycle for w in cycle_words(near.text, view.language)} & {word.cycle, cycle}
    return said.pop() if len(said) == 1 else None


# Number: noun and verb


def _number_children(answer: TextView, edit: Edit, index: int, taken: Sequence[Edit], said: str) -> list[Edit]:
    """Noun and verb after a number that was one and is not any more, or the other way round.

    `said` is the receipt's sentence: the form in which it has the verb is taken where no table knows it.
    """
    if answer.language != "en":
        return []
    before, after = _is_one(edit.old), _is_one(edit.new)
    if before is None or after is None or before == after:
        return []
    several = not after
    children: list[Edit] = []
    noun = _counted_noun(answer, edit, several, said)
    if noun is not None:
        start, end, new = noun
        children.append(Edit(start, end, answer.text[start:end], new, "agreement", (), index, edit.origin))
        children += _verb(answer.text, start, end, several, index, edit.origin, said)
    return [child for child in children if _free(child.start, child.end, taken)]


def _is_one(text: str) -> bool | None:
    """Whether a text starts with the number one; None when it starts with no number."""
    first = _NUMBER.match(text.strip())
    if first is None:
        return None
    values = find_values(first.group())
    if len(values) != 1 or values[0].kind != "number":
        return None
    return values[0].amount == 1


def _counted_noun(answer: TextView, edit: Edit, several: bool, said: str) -> tuple[int, int, str] | None:
    """The noun that is counted, at most three words after the number, and its new form.

    It is the word whose new form the receipt's sentence has, else the one the value itself names.
    """
    if _brings_a_noun(edit.old) and _brings_a_noun(edit.new):
        # The edit brings its own noun or unit along ("1 day" -> "21 days").
        return None
    if _ATTRIBUTE.match(answer.text, edit.end):
        return None  # "a 1-day pass" becomes "a 30-day pass"
    value = answer.value_at(edit.start)
    words = list(_WORD.finditer(answer.text, edit.end, min(len(answer.text), edit.end + 60)))[:3]
    named = value.noun if value is not None else ""
    source_words = {word.group().casefold() for word in _WORD.finditer(said)}
    for word in words:
        text = word.group()
        new = singular(text) if not several else text if is_plural(text) else plural(text)
        if new != text and new.casefold() in source_words and text.casefold() not in source_words:
            return word.start(), word.end(), new
    for word in words:
        text = word.group()
        inside_value = value is not None and word.end() <= value.end
        if inside_value or text.casefold() == named:
            new = plural(text) if several and not is_plural(text) else text if several else singular(text)
            return (word.start(), word.end(), new) if new != text else None
    return None


def _brings_a_noun(text: str) -> bool:
    """Whether a text says more than a number: "1 day" does, "one" does not."""
    first = _NUMBER.match(text.strip())
    return _WORD.search(text.strip(), first.end() if first and _is_one(text) is not None else 0) is not None


def _verb(text: str, noun_start: int, noun_end: int, several: bool, parent: int, origin: str, said: str) -> list[Edit]:
    """The verbs right after the noun ("1 seat is", "1 guest who was"), or before the number ("there is 1 seat")."""
    after = _VERB_AFTER.match(text, noun_end)
    before = re.search(
        r"\bthere\s+([^\W\d_]+(?:['’]t)?)\s+(?:only\s+|just\s+)?\S+\s+(?:\S+\s+){0,2}$",
        text[:noun_start],
        re.IGNORECASE,
    )
    found = []
    for place in (after, before):
        new = place and (
            verb_for(place.group(1), several) or (_as_said(place.group(1), several, said) if place is after else None)
        )
        if place and new:
            found.append(Edit(place.start(1), place.end(1), place.group(1), new, "agreement", (), parent, origin))
    return found


def _as_said(verb: str, several: bool, said: str) -> str | None:
    """The other form of a verb where the receipt's sentence has that form and not this one ("runs" for "run")."""
    words = {word.group().casefold() for word in _WORD.finditer(said)}
    low = verb.casefold()
    others = (
        [low[:-1], low[:-2], low[:-3] + "y"]
        if several and low.endswith("s")
        else []
        if several
        else [third_person(low)]
    )
    return next((form for form in others if len(form) > 1 and form in words and low not in words), None)


# Article


def _article_child(answer: TextView, edit: Edit, index: int, taken: Sequence[Edit]) -> list[Edit]:
    """ "a"/"an" before an edit whose first sound changed; only where the article was right before."""
    if answer.language != "en" or not edit.new or edit.kind not in ("value", "agreement"):
        return []
    if not (edit.old + edit.new).isascii() or _OTHER_LANGUAGE.search(answer.text):
        return []  # too short to be told apart: "Le prix a augmenté", "subió a 8 euros"
    before = re.search(r"\b(an?)([ \u00a0][*_]*)$", answer.text[max(0, edit.start - 8) : edit.start], re.IGNORECASE)
    if before is None or before.group(1).casefold() != article_for(edit.old):
        return []
    wanted = article_for(edit.new)
    if wanted == before.group(1).casefold():
        return []
    start = edit.start - len(before.group(0))
    old = before.group(1)
    new = wanted.capitalize() if old[0].isupper() else wanted
    child = Edit(start, start + len(old), old, new, "agreement", (), index, edit.origin)
    return [child] if _free(child.start, child.end, taken) else []
