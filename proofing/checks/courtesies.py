"""Courtesies: "Let me know if you need anything else!" says nothing about the matter.

A sentence is one when it holds an opening and every one of its words is a word that courtesies are made of; a single
word about the matter makes it a claim.

>>> is_courtesy("I hope this helps!"), is_courtesy("Feel free to smoke in the bedrooms.")
(True, False)
"""

from __future__ import annotations

import re

_OPENING = re.compile(
    r"\b(?:let (?:me|us) know|feel free|hope (?:this|that|it|these)|hesitate to|(?:happy|glad|here) to (?:help|assist)"
    r"|here(?: is|['’]s| are)|(?:thanks|thank you) for|(?:great|good) question|(?:have|enjoy) a (?:nice|great|good)"
    r"|if you have (?:any|more|further|other)"
    r"|hoffe|zögern sie|helfe (?:ich|wir)?|melden sie sich|bei (?:weiteren )?fragen"
    r"|espero|no duden?|si tienes?|si necesitas?"
    r"|j['’]espère|n['’]hésite[sz]?"
    r"|spero|non esit\w+|fammi sapere"
    r"|não hesit\w+|fique à vontade"
    r"|надеюсь|обращайтесь|дайте знать)\b",
    re.IGNORECASE,
)
_WORDS = frozenset(
    # English
    "a about additional again all always an and any anything are as ask asking assist assistance at be by can "
    "clarification clarifies clarify clear contact could day detail details do don't else enjoy ever "
    "explanation feel for found free further get give glad good got great happy have help helped helpful helps "
    "here here's hesitate hope i i'd i'll i'm if in info information is it just know let like me more need "
    "needed nice not of on other out overview please provide question questions quick reach requested rest "
    "should so some something summary sure thank thanks that that's the there these this to touch useful us "
    "want was we what whatever whenever with would you you'd you're your yours answer answers "
    # German
    "ich wir hoffe hoffen das dies ihnen dir euch hilft helfen hat geholfen weiter gerne gern noch fragen frage "
    "weitere weiteren bei zu zögern sie nicht mich uns kontaktieren melden sich wenn falls haben hast du kann "
    "können helfe jederzeit "
    # Spanish
    "espero esperamos que esto te le les ayude sirva sea útil no dude duda dudes dudas en preguntar preguntarme "
    "contactarme si tiene tienes necesita necesitas más alguna otra pregunta preguntas haya ayudado de gran "
    "ayuda "
    # French
    "j'espère espère cela vous aide aidera aidé a été utile n'hésitez n'hésite hésitez pas à me poser d'autres "
    "questions si avez besoin d'aide contacter nous "
    # Italian
    "spero che ti sia utile questo di aiuto aiuti possa aiutare aiutarti non esiti esitare chiedere contattarmi "
    "se hai altre domande "
    # Portuguese
    "isso isto ajude tenha ter ajudado você vocês hoje não hesite hesitar perguntar perguntas dúvidas "
    # Russian
    "надеюсь это вам тебе поможет помогло обращайтесь если у вас есть вопросы будут ещё еще дайте знать ".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def is_courtesy(text: str) -> bool:
    """Whether a sentence is only a greeting, an offer of more help or a wish, without a word about the matter."""
    for word in _WORD.finditer(text):  # nearly every sentence has another word among its first ones
        if word.group().casefold().replace("’", "'") not in _WORDS:
            return False
    return _OPENING.search(text) is not None and not any(character.isdigit() for character in text)
