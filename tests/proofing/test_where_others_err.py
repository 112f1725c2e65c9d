"""Situations that five-check detectors commonly get wrong, each in a sentence of our own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from functools import cache

import pytest

from proofing.checks.drift import fingerprint, similarity
from proofing.history import History
from proofing.pipeline import proofread_whole
from proofing.report import Report
from proofing.settings import Settings

FAST = Settings(tier="fast")


@cache
def read(question: str, sources: tuple[str, ...], answer: str, tier: str = "fast") -> Report:
    return proofread_whole(question, list(sources), answer, settings=Settings(tier=tier))


def healed(question: str, sources: tuple[str, ...], answer: str) -> str:
    return read(question, sources, answer).healing.text


@pytest.mark.parametrize(
    ("name", "question", "sources", "answer"),
    [
        ("a denial repeated word for word", "Does the tent come with pegs?",
         ("The tent does not come with pegs.",), "The tent does not come with pegs."),
        ("one plan can, another cannot", "Which pass lets me bring a bike?",
         ("The day pass does not include bikes. The week pass includes one bike.",),
         "The day pass does not include bikes, but the week pass includes one bike."),
        ("no inside another word", "What is taught?",
         ("The academy teaches nocturne writing and canoe building.",),
         "It teaches nocturne writing and canoe building."),
        ("a right sum of two amounts", "What did both repairs cost?",
         ("The roof repair cost $8,000. The window repair cost $1,250.",),
         "Together the repairs cost $9,250."),
        ("grouping", "How many seats?", ("The hall has 10000 seats.",), "The hall has 10,000 seats."),
        ("trailing zero", "What grade?", ("The average grade is 3.9.",), "The average grade is 3.90."),
        ("thousands by letter", "How many visits?", ("The site had 12,500 visits.",), "The site had 12.5k visits."),
        ("millions by letter", "How many users?", ("The service has 1,200,000 users.",), "The service has 1.2M users."),
        ("metres for kilometres", "How far?", ("The ferry is 1,500 m away.",), "The ferry is 1.5 km away."),
        ("afternoon hours", "When does it close?", ("The kiosk closes at 17:30.",), "The kiosk closes at 5:30 PM."),
        ("finds and must are no citations", "What is required?",
         ("Every study finds its limits in the sample. Reporting must follow the form.",),
         "Every study finds its limits in the sample, and reporting must follow the form."),
        ("May in a date", "When is the regatta?", ("The regatta is on May 14, 2027.",),
         "The regatta is on May 14, 2027."),
    ],
)  # fmt: skip
def test_a_right_answer_is_low_and_unchanged(name, question, sources, answer):
    report = read(question, sources, answer)
    assert (report.risk, report.healing.text) == ("low", answer), (name, [m.text for m in report.marks])


def test_the_right_sum_carries_its_formula():
    report = read("What did both repairs cost?", ("The roof repair cost $8,000. The window repair cost $1,250.",),
                  "Together the repairs cost $9,250.")  # fmt: skip
    assert any(note.formula for note in report.finding.notes)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("The ticket is not refundable after check-in.", "The ticket is refundable after check-in."),
        ("The ticket is refundable before check-in.", "The ticket is not refundable before check-in."),
        ("Visitors must wear a badge.", "Visitors may wear a badge."),
        ("Ticket sales increased in spring.", "Ticket sales decreased in spring."),
        ("The cabin takes at most 6 guests.", "The cabin takes at least 6 guests."),
    ],
)
def test_a_flip_is_never_low(source, answer):
    assert read("", (source,), answer).risk != "low"


def test_two_prices_the_plan_asked_about_is_taken_with_its_period():
    text = healed("What does the Crew plan cost?",
                  ("The set-up fee is $40. The Crew plan costs $300 per year, billed annually.",),
                  "The Crew plan costs $35 per month.")  # fmt: skip
    assert text == "The Crew plan costs $300 per year."


def test_two_durations_the_one_asked_about_is_taken():
    text = healed("How long can boots be returned?",
                  ("Boots may be returned within 14 days. Refunds are paid after 7 days.",),
                  "Boots may be returned within 30 days.")  # fmt: skip
    assert text == "Boots may be returned within 14 days."


def test_an_answer_about_the_monthly_product_stays_monthly():
    text = healed("How is the Solo plan billed?",
                  ("The Solo plan costs $6 per month. The Duo plan costs $100 per year, billed annually.",),
                  "The Solo plan costs $8 and is billed monthly.")  # fmt: skip
    assert text == "The Solo plan costs $6 and is billed monthly."


def test_a_monthly_report_beside_a_yearly_fee_is_untouched():
    text = healed("What is the fee?",
                  ("The licence fee is $400 per year. It includes a monthly report by email.",),
                  "The licence fee is $44 per month. It includes a monthly report by email.")  # fmt: skip
    assert text == "The licence fee is $400 per year. It includes a monthly report by email."


def test_a_supported_sentence_beside_a_healed_one_is_untouched():
    text = healed("What about the deposit?",
                  ("The deposit is 150 euros. It is paid back within ten days of the keys being returned.",),
                  "The deposit is 510 euros. It is paid back within ten days of the keys being returned.")  # fmt: skip
    assert text == "The deposit is 150 euros. It is paid back within ten days of the keys being returned."


def test_a_healed_answer_that_still_contradicts_is_not_low():
    report = read("Can the Crew plan be paused?",
                  ("The Crew plan costs $300 per year. The Crew plan cannot be paused during the first year.",),
                  "The Crew plan costs $35 per month and can be paused during the first year.")  # fmt: skip
    healing = report.healing
    assert "can be paused" not in healing.text or healing.final_risk != "low"
    assert "$35" not in healing.text


def test_a_sentence_with_a_title_is_found_and_removed_whole():
    text = healed("What did the survey find?",
                  ("The survey of 2022 counted 340 seals and no pups on the northern bank.",),
                  "The survey of 2022 counted 340 seals. Dr. Ines Calloway directed it with Mr. Brandt.")  # fmt: skip
    assert text.startswith("The survey of 2022 counted 340 seals.")
    assert [word for word in ("Dr.", "Calloway", "Mr.", "Brandt") if word in text] == []


def test_where_nothing_can_be_said_the_decline_is_discarded():
    report = read("Who composed the anthem?", ("Opening hours are listed at the entrance.",),
                  "Dr. Piet Hallam composed the anthem with Lena Quist in arXiv:2009.01234.")  # fmt: skip
    assert report.healing.strategy == "safe_decline"
    assert report.quality.route == "discard"


@pytest.mark.parametrize("answer", ["Yes.", "The lock opens at dawn.", "The lock is never closed. " * 60, "42"])
def test_the_same_answer_again_has_no_drift(answer):
    assert similarity(fingerprint(answer), fingerprint(answer)) == 1.0


def test_an_invented_sentence_without_an_auxiliary_is_not_low():
    report = read("What comes with the pass?", ("The pass gives free entry to both baths.",),
                  "The pass gives free entry to both baths. "
                  "Holders enjoy complimentary champagne breakfasts nightly.")  # fmt: skip
    assert report.risk != "low"


def test_another_first_name_is_not_low():
    assert (
        read("Who chaired it?", ("Clara Whitlock chaired the meeting.",), "Karl Whitlock chaired the meeting.").risk
        != "low"
    )


def test_healing_writes_no_drift_row(tmp_path):
    with History(tmp_path / "history.sqlite3") as history:
        for _ in range(3):
            proofread_whole("How long is the lease?", ["The lease runs for 3 years."], "The lease runs for 5 years.",
                            settings=FAST, history=history)  # fmt: skip
        from proofing.checks.drift import question_key

        assert len(history.earlier(question_key("How long is the lease?"))) == 3


_PROGRAM = """
import json, hashlib
from proofing.pipeline import proofread_whole
from proofing.settings import Settings
r = proofread_whole("What does the Crew plan cost?", ["The Crew plan costs $300 per year, billed annually."],
                    "The Crew plan costs $35 per month, billed monthly, says Dr. Ines Calloway.",
                    settings=Settings(tier="fast"))
d = r.to_dict(); d.pop("timings_ms")
print(hashlib.sha256(json.dumps(d, sort_keys=True).encode()).hexdigest())
"""


def test_another_hash_seed_gives_the_same_bytes():
    digests = {
        subprocess.run([sys.executable, "-c", _PROGRAM], env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                       capture_output=True, text=True).stdout
        for seed in ("0", "7", "4242")
    }  # fmt: skip
    assert len(digests) == 1


def test_another_thread_gives_the_same_bytes():
    digests: list[str] = []

    def work() -> None:
        report = proofread_whole("", ["The lease runs for 3 years."], "The lease runs for 5 years.", settings=FAST)
        body = report.to_dict()
        body.pop("timings_ms")
        digests.append(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(digests) == 8
    assert len(set(digests)) == 1
