"""Throws changed cases and hostile texts at inspection and healing and looks for crashes, hangs and broken offsets.

    python bench/fuzz.py                      60 seconds, fast tier
    python bench/fuzz.py --seconds 600 --seed 7
    python bench/fuzz.py --inputs 100000      so many inputs, however long they take
    python bench/fuzz.py --api 10000          so many through the API on a site of their own: no reply may be a 5xx
    python bench/fuzz.py --limits             answers and sources of growing length, up to the limits

Prints inputs per second and the slowest input; Ctrl+C prints them of what was done so far. Exit status 1 when an input
raised anything but `BadInput`, when an offset does not hold the text it claims, or when an input took longer than
`--worst` seconds.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from inputs import PIECES, Input, case_inputs, changed

import proofing

#: Texts that once made readers of text hang or crash; `n` repeats each.
HOSTILE = (
    "7", "1 ", "1,", "1.", "1 - ", "1-1", "1/", "1:", "(", "[{(", ")", "\u0301", "e\u0301", "\u200b", "\u202e",
    "\u2066a\u2069", "a", "a ", "A ", "А", "。", "漢", "one ", "and ", "not ", "not never ", "half ", "a half ",
    "between 1 and ", "$", "$1 to ", "1% ", "| ", "|1|2|\n", "- ", "1. ", "# ", "{", '{"a":', "{'a': [", "<td>",
    "<table><tr><td>1", '"', "“", "“a” ", "`", "``` ", "http://a", "a@b.", "et al. ", "et al. (2019) ", "March ",
    "5 March ", "2023-", "X", "X ", "XIV ", "Dr. ", "J. ", "A. B. ", "\n", "\n\n", "\t", ". ", "...", "!?", "№",
    "§ 1 ", "½", "٣", "İ", "ﬁ", "twenty-", "hundred ", "quatre-vingt-", "zwei", "tausend", "million ",
    "per month ", "a year ", "#1", "v1.", "1x", "1e9", "0x", "-1",
)  # fmt: skip


def hostile(choose: random.Random) -> Input:
    """An input of repeated pieces, up to some thousands of characters."""

    def text() -> str:
        parts = [choose.choice(HOSTILE) * choose.choice((1, 3, 30, 300, 2000)) for _ in range(choose.randint(1, 4))]
        if choose.random() < 0.3:
            parts.append(choose.choice(PIECES))
        return "".join(parts)[:8000]

    return Input(text()[:200], tuple(text() for _ in range(choose.randint(0, 3))), text())


def broken(choose: random.Random, given: Input) -> Input:
    """`given` with a character that must be refused: NUL or half a surrogate pair."""
    at = choose.randrange(len(given.answer) + 1)
    return given._replace(answer=given.answer[:at] + choose.choice("\x00\ud800\udfff") + given.answer[at:])


def check(given: Input, tier: str) -> bool:
    """Inspect, heal and follow every offset; False when the input was refused."""
    try:
        report = proofing.inspect(given.question, given.sources, given.answer, settings=proofing.Settings(tier=tier))
    except proofing.BadInput:
        return False
    finding = report.finding
    texts = {f"s{i}": text for i, text in enumerate(given.sources, 1)}
    for mark in finding.marks:
        assert given.answer[mark.start : mark.end] == mark.text
        assert mark.start < mark.end
        receipt = mark.receipt
        if receipt is not None and receipt.source_id is not None:
            held = texts.get(receipt.source_id) or next(iter(texts.values()))
            assert held[receipt.start : receipt.end] == receipt.text
            assert held[receipt.sentence_start : receipt.sentence_end] == receipt.sentence_text
    healing = proofing.heal(report)
    for edit in healing.edits:
        assert given.answer[edit.start : edit.end] == edit.old
    report.to_dict()
    return True


def fuzz(seconds: float, seed: int, tier: str, worst: float, most: int = 0) -> int:
    """Work until the time is over, or until `most` inputs are done; the exit status."""
    choose = random.Random(seed)
    known = case_inputs()
    started = time.perf_counter()
    count = refused = failed = 0
    over = 0
    slowest, slowest_input = 0.0, None
    while count < most if most else time.perf_counter() < started + seconds:
        given = changed(choose.choice(known), known, choose) if choose.random() < 0.6 else hostile(choose)
        must_refuse = choose.random() < 0.02
        if must_refuse:
            given = broken(choose, given)
        begun = time.process_time()  # a busy machine is not the input's fault
        try:
            taken = check(given, tier)
            assert not (must_refuse and taken), "NUL or a lone surrogate was accepted"
            refused += not taken
        except KeyboardInterrupt:  # say what was done so far
            break
        except Exception:
            failed += 1
            print(f"input {count} of seed {seed}: {given!r:.2000}")
            traceback.print_exc()
        spent = time.process_time() - begun
        count += 1
        over += spent > worst
        if spent > slowest:
            slowest, slowest_input = spent, given
    size = sum(map(len, slowest_input.sources)) + len(slowest_input.answer) if slowest_input else 0
    took = time.perf_counter() - started
    print(
        f"{count} inputs in {took:.0f} s ({count / took:.0f} a second), {refused} refused, {failed} failed, "
        f"{over} over {worst:g} s of CPU time"
    )
    print(f"slowest {slowest * 1000:.0f} ms for {size} characters: {slowest_input!r:.300}")
    return 1 if failed or slowest > worst else 0


def api(count: int, seed: int, worst: float) -> int:
    """Send inputs, and bodies that are none, to every door that takes a body; the exit status."""
    import desk  # the site of another bench: a database and folder of its own, gone afterwards

    choose = random.Random(seed)
    known = case_inputs()
    statuses: dict[int, int] = {}
    over, slowest = 0, 0.0
    with desk.site(""):
        from django.conf import settings
        from django.test import Client

        from webapp.accounts.services import create_token
        from webapp.records.models import Project

        settings.CELERY_TASK_ALWAYS_EAGER = False
        token = create_token(project=Project.objects.create(name="Fuzz", slug="fuzz", tier="fast"), name="fuzz")[1]
        client = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)
        for number in range(count):
            path, body = api_body(choose, known)
            begun = time.process_time()
            status = client.post(f"/api/v1/{path}", body, content_type="application/json").status_code
            spent = time.process_time() - begun
            statuses[status] = statuses.get(status, 0) + 1
            over, slowest = over + (spent > worst), max(slowest, spent)
            if status >= 500 or spent > worst:
                print(f"input {number} of seed {seed}: {path} {status} after {spent:.1f} s {body!r:.1500}")
    print(
        f"{count} requests: {dict(sorted(statuses.items()))}; slowest {1000 * slowest:.0f} ms of CPU time, "
        f"{over} over {worst:g} s"
    )
    return int(over > 0 or any(status >= 500 for status in statuses))


def api_body(choose: random.Random, known: list[Input]) -> tuple[str, bytes]:
    """An address and what is sent to it: an answer, one with something of another kind in it, or what is no JSON."""
    given = changed(choose.choice(known), known, choose) if choose.random() < 0.6 else hostile(choose)
    odd = [None, True, -1, 10**40, 1e308, [], {}, "", "\x00", "\ud800", ["a", "b", "c"], {"id": 1}, "9" * 300]
    record: dict[str, Any] = {
        "question": given.question, "answer": given.answer, "external_id": choose.choice(["", "a", "b" * 300]),
        "sources": [{"id": f"s{i}", "text": text} for i, text in enumerate(given.sources)],
        "locale": choose.choice(["und", "en", "xx-" * 20]), "latency_ms": choose.choice([1, -1, 1e400, "5"]),
    }  # fmt: skip
    for _ in range(choose.choice((0, 0, 1, 3))):
        record[choose.choice([*record, "label", "labels", "model", "task", "id", "supersede"])] = choose.choice(odd)
    path = choose.choice(("answers", "answers", "many", "proofread"))
    sent = json.dumps({"answers": [record] * choose.choice((1, 2, 50))} if path == "many" else record)
    if choose.random() < 0.15:
        cut = choose.randrange(len(sent) + 1)
        sent = choose.choice(
            (sent[:cut], "[" * 5000, sent + sent, '{"answer":' * 2000, "NaN", sent[:cut] + "\x00" + sent[cut:])
        )
    return "answers" if path == "many" else path, sent.encode("utf-8", "surrogatepass")


def prose(words: int, seed: int) -> str:
    """Prose of the case files' sentences, as many words as asked."""
    choose = random.Random(seed)
    known = case_inputs()
    parts: list[str] = []
    count = 0
    while count < words:
        sentence = choose.choice(choose.choice(known).sources or ("It rained.",))
        parts.append(sentence)
        count += len(sentence.split())
    return " ".join(" ".join(parts).split()[:words])


def limits(tier: str) -> int:
    """CPU time and memory for growing answers and growing sources, how they grow, and what is refused above."""
    settings = proofing.Settings(tier=tier)
    kinds = (
        ("answer words", (2000, 5000, 20000)),
        ("sources of 5,000 words", (10, 50, 200)),
        ("20,000 words of answer, sources of 5,000 words", (200,)),
    )
    for title, sizes in kinds:
        first = None
        for size in sizes:
            if title == "answer words":
                answer, sources = prose(size, 1), tuple(prose(500, 2 + i) for i in range(10))
            else:
                answer = prose(20000 if title.startswith("20,000") else 500, 1)
                sources = tuple(prose(5000, 2 + i) for i in range(size))
            begun = time.process_time()
            finding = proofing.proofread(answer, sources, settings=settings)
            spent = time.process_time() - begun
            first = first or (spent, size)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{title} {size:>6}: {spent:7.2f} s of CPU, {len(finding.marks)} marks, {peak:.0f} MB at most, "
                f"{spent / first[0]:.1f} times the first for {size / first[1]:.1f} times the length"
            )
    for name, answer, sources in (
        ("20,001 words", "word " * 20001, ("a",)),
        ("201 sources", "a", ("b",) * 201),
        ("a source of 5,001 words", "a", ("word " * 5001,)),
    ):
        try:
            proofing.proofread(answer, sources, settings=settings)
            print(f"{name}: accepted")
            return 1
        except proofing.BadInput as error:
            print(f"{name}: {error}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=0, help="how many, instead of seconds")
    parser.add_argument("--api", type=int, default=0, metavar="N", help="N inputs through the API instead")
    parser.add_argument("--tier", default="fast", choices=("fast", "standard", "deep"))
    parser.add_argument("--worst", type=float, default=10, help="seconds one input may take")
    parser.add_argument("--limits", action="store_true", help="measure growing lengths instead")
    given = parser.parse_args()
    if given.api:
        return api(given.api, given.seed, given.worst)
    if given.limits:
        return limits(given.tier)
    return fuzz(given.seconds, given.seed, given.tier, given.worst, given.inputs)


if __name__ == "__main__":
    sys.exit(main())
