"""Claims that a text names only to deny them, or only reports."""

from __future__ import annotations

import pytest

from proofing import inspect
from proofing.settings import Settings
from proofing.support.claimed import named_claims
from proofing.support.reading import TextView

#: (source, the same said rightly, and wrongly)
DENIED = [
    ("It is a common misconception that muscle turns to fat if you don't exercise.",
     "No, muscle cannot turn into fat if you don't exercise.", "Muscle turns into fat if you don't exercise."),
    ("It is a myth that owls can turn their heads right round.", "Owls cannot turn their heads right round.",
     "Owls can turn their heads right round."),
    ("It's false that the harbour freezes in winter.", "The harbour does not freeze in winter.",
     "The harbour freezes in winter."),
    ("It is not true that refunds take 30 days.", "Refunds do not take 30 days.", "Refunds take 30 days."),
    ("The claim that the form must be notarised is false.", "The form does not have to be notarised.",
     "The form must be notarised."),
    ("The idea that chargers damage the battery is a myth.", "Chargers do not damage the battery.",
     "Chargers damage the battery."),
    ("Many people wrongly believe that the vaccine causes autism.", "The vaccine does not cause autism.",
     "The vaccine causes autism."),
    ("The old bridge is mistakenly thought to be closed to cyclists.", "The old bridge is not closed to cyclists.",
     "The old bridge is closed to cyclists."),
    ("There is an old wives' tale that carrots sharpen the eyes.", "Carrots do not sharpen the eyes.",
     "Carrots sharpen the eyes."),
    ("Es ist ein Irrglaube, dass Fledermäuse blind sind.", "Fledermäuse sind nicht blind.", "Fledermäuse sind blind."),
    ("Es ist nicht wahr, dass der Hafen im Winter zufriert.", "Der Hafen friert im Winter nicht zu.", None),
    ("Viele glauben fälschlicherweise, dass die Brücke gesperrt ist.", "Die Brücke ist nicht gesperrt.",
     "Die Brücke ist gesperrt."),
    ("C'est une idée reçue que les chauves-souris sont aveugles.", "Les chauves-souris ne sont pas aveugles.",
     "Les chauves-souris sont aveugles."),
    ("Il est faux que le pont est fermé.", "Le pont n'est pas fermé.", "Le pont est fermé."),
    ("Es un mito que los murciélagos son ciegos.", "Los murciélagos no son ciegos.", "Los murciélagos son ciegos."),
    ("Es falso que el puente está cerrado.", "El puente no está cerrado.", "El puente está cerrado."),
    ("È un mito che i pipistrelli sono ciechi.", "I pipistrelli non sono ciechi.", "I pipistrelli sono ciechi."),
    ("È falso che il ponte è chiuso.", "Il ponte non è chiuso.", "Il ponte è chiuso."),
    ("É um mito que os morcegos são cegos.", "Os morcegos não são cegos.", "Os morcegos são cegos."),
    ("Миф, что летучие мыши слепые.", "Летучие мыши не слепые.", "Летучие мыши слепые."),
    ("Неправда, что мост закрыт.", "Мост не закрыт.", "Мост закрыт."),
]  # fmt: skip


def turned(source: str, answer: str, tier: str) -> list[str]:
    report = inspect("", [source], answer, settings=Settings(tier=tier))
    return [mark.text for mark in report.marks if mark.reason == "negated"]


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(("source", "right"), [(source, right) for source, right, _ in DENIED])
def test_who_denies_what_a_source_denies_agrees_with_it(source, right, tier):
    assert turned(source, right, tier) == []


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(("source", "wrong"), [(source, wrong) for source, _, wrong in DENIED if wrong])
def test_who_says_what_a_source_denies_is_marked(source, wrong, tier):
    assert len(turned(source, wrong, tier)) == 1


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Owls can turn their heads right round.", "It is a myth that owls can turn their heads right round."),
        ("The form must be notarised.", "The claim that the form must be notarised is false."),
        ("The harbour freezes in winter.", "It is not true that the harbour freezes in winter."),
        ("The old bridge is closed to cyclists.", "People wrongly believe that the old bridge is closed to cyclists."),
        ("Fledermäuse sind blind.", "Es ist ein Mythos, dass Fledermäuse blind sind."),
        ("El puente está cerrado.", "Es un mito que el puente está cerrado."),
        ("Мост закрыт.", "Неправда, что мост закрыт."),
    ],
)
def test_who_calls_a_myth_what_a_source_says_is_marked(source, answer, tier):
    assert len(turned(source, answer, tier)) == 1


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Owls cannot turn their heads right round.", "It is a myth that owls can turn their heads right round."),
        ("It is a myth that the harbour freezes in winter.", "It is not true that the harbour freezes in winter."),
        ("It is not a myth that the harbour freezes in winter.", "The harbour freezes in winter."),
        ("It is a myth that bats cannot see.", "Bats can see."),
        ("Despite the myth that bats are blind, bats see well.", "Bats see well."),
        # not the same claim
        ("It is a misconception that it is illegal to keep bees in Rye.", "It is illegal to sell bees in Rye."),
        ("Despite the misconception that fishing is legal in Lund, it is legal in Rye.", "Fishing is legal in Rye."),
        ("It is a myth that Hugo Lind failed chemistry in school.", "Hugo Lind did well in school."),
        ("It is a myth that Hugo Lind failed in school.", "Hugo Lind did not fail chemistry or Latin in school."),
        ("Dogs see yellow, blue and gray.", "It is a misconception that dogs only see gray."),
        ("There is a stereotype that all pilots are good at sums, but no pilot is.",
         "Not all pilots are good at sums."),
        ("People often mistake a crow and a raven for the same bird, but they differ.",
         "A crow and a raven are not the same bird."),
        # only reported: open either way
        ("Critics claim that the old bridge is closed to cyclists.", "The old bridge is not closed to cyclists."),
        ("Critics claim that the old bridge is closed to cyclists.", "The old bridge is closed to cyclists."),
        ("It is rumoured that the harbour freezes in winter.", "The harbour does not freeze in winter."),
        ("Some people believe that carrots sharpen the eyes.", "Carrots do not sharpen the eyes."),
        ("Manche behaupten, dass die Brücke gesperrt ist.", "Die Brücke ist nicht gesperrt."),
        ("Se dice que el puente está cerrado.", "El puente no está cerrado."),
        ("The harbour does not freeze in winter.", "Critics claim that the harbour freezes in winter."),
    ],
)  # fmt: skip
def test_what_agrees_or_is_left_open_is_not_marked(source, answer, tier):
    assert turned(source, answer, tier) == []


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(
    ("source", "right", "wrong"),
    [
        ("Contrary to popular belief, bats can see.", "Bats can see.", "Bats cannot see."),
        ("Contrary to popular belief, bats are not blind.", "Bats are not blind.", "Bats are blind."),
        ("Contrary to the myth, the old bridge is open to cyclists.", "The old bridge is open to cyclists.",
         "The old bridge is not open to cyclists."),
        ("Despite the rumour, the harbour does not freeze in winter.", "The harbour does not freeze in winter.",
         "The harbour freezes in winter."),
        ("Entgegen dem Mythos sind Fledermäuse nicht blind.", "Fledermäuse sind nicht blind.",
         "Fledermäuse sind blind."),
    ],
)  # fmt: skip
def test_what_stands_behind_contrary_to_belief_is_stated(source, right, wrong, tier):
    assert turned(source, right, tier) == []
    assert len(turned(source, wrong, tier)) == 1


@pytest.mark.parametrize("tier", ["fast", "standard"])
@pytest.mark.parametrize(
    ("source", "answer"),
    [
        # the words of the frames where they are no frames
        ("The wrong key was sold to the guest.", "The wrong key was sold to the guest."),
        ("The report found that the valve is not closed.", "The valve is not closed."),
        ("The alarm was false and the hall was not cleared.", "The hall was not cleared."),
        ("The legend on the map shows that the path is not lit.", "The path is not lit."),
    ],
)
def test_other_uses_of_these_words_change_nothing(source, answer, tier):
    assert turned(source, answer, tier) == []


#: Frames of each language: only sentences with a word of `_HINTS` are searched for them.
FRAMES = [
    ("en", "IT IS A MYTH THAT BATS ARE BLIND."),
    ("en", "The claim that bats are blind is false."),
    ("en", "That bats are blind is untrue."),
    ("en", "People wrongly believe bats to be blind, and they falsely assume bats are deaf."),
    ("en", "Bats are erroneously thought to be blind."),
    ("en", "Bats were incorrectly said to be deaf."),
    ("en", "Some mistook moths for bats."),
    ("en", "Many are mistaking moths for bats."),
    ("en", "Critics say that bats are blind."),
    ("de", "Es ist ein Irrglaube, DASS Fledermäuse blind sind."),
    ("de", "Die Behauptung, dass Fledermäuse blind sind, ist falsch."),
    ("de", "Kritiker sagen, dass Fledermäuse blind sind."),
    ("fr", "C'est un mythe que les chauves-souris soient aveugles."),
    ("fr", "On dit qu'elles sont aveugles."),
    ("es", "Es un mito que los murciélagos son ciegos."),
    ("it", "È falso che i pipistrelli siano ciechi."),
    ("pt", "É um mito que os morcegos são cegos."),
    ("ru", "Это миф, что летучие мыши слепы."),
]


@pytest.mark.parametrize(("language", "text"), FRAMES)
def test_no_frame_is_passed_by(language, text):
    assert named_claims(TextView(None, text, language))
