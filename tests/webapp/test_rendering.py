"""Marks land on the right words, whatever the words are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.records import rendering


def report(text, *spans, notes=()):
    return {
        "marks": [
            {"start": start, "end": end, "text": text[start:end], "support": 0.0, "receipt": {}} for start, end in spans
        ],
        "notes": [
            {"start": start, "end": end, "text": text[start:end], "formula": "1 + 1 = 2"} for start, end in notes
        ],
    }


def span_of(text, words):
    start = text.index(words)
    return start, start + len(words)


def plain(view):
    """The text as a reader sees it."""
    import html

    lines = ["".join(html.unescape(re.sub(r"<[^>]*>", "", run.html)) for run in line) for line in view.lines]
    return "\n".join(lines)


def marked(view):
    import html

    words = {}
    for line in view.lines:
        for run in line:
            if run.mark:
                bare = html.unescape(re.sub(r"<[^>]*>", "", run.html))
                words[run.mark.index] = words.get(run.mark.index, "") + bare
    return words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Il reste 👩‍👩‍👧‍👦 30 jours 🎉.", "30 jours"),
        ("Cafe\u0301 opens at 9 o'clock", "9 o'clock"),
        ("المدة هي ٣٠ يوما فقط", "٣٠ يوما"),
        ("𝟛𝟘 days and 30 days", "30 days"),
        ("第３０日まで有効です", "３０日"),
        ("a\r\nb 30 days\r\nc", "30 days"),
    ],
)
def test_the_right_words_are_marked(text, words):
    found = report(text, span_of(text, words))
    view = rendering.render_answer(text, found, rendering.stream_of(text, found))
    assert marked(view) == {0: words}
    assert plain(view) == text.replace("\r\n", "\n")


def test_marks_are_numbered_in_reading_order():
    text = "one two three"
    found = report(text, (8, 13), (0, 3))
    view = rendering.render_answer(text, found, None)
    assert [(mark.number, mark.index, mark.text) for mark in view.marks] == [(1, 1, "one"), (2, 0, "three")]


def test_a_mark_inside_another_stays_reachable():
    text = "fifteen whole days left"
    found = report(text, (0, 18), (8, 13))
    view = rendering.render_answer(text, found, None)
    anchors = [run.mark.index for line in view.lines for run in line if run.first and run.mark]
    assert sorted(anchors) == [0, 1]
    assert plain(view) == text


def test_a_mark_across_a_line_break_has_one_anchor():
    text = "ten\ndays left"
    found = report(text, (0, 8))
    view = rendering.render_answer(text, found, None)
    assert [run.first for line in view.lines for run in line if run.mark] == [True, False]


def test_a_mark_that_ends_inside_a_word_cuts_the_word():
    text = "12km away"
    view = rendering.render_answer(text, report(text, (0, 2)), None)
    assert marked(view) == {0: "12"}
    assert plain(view) == text


@given(st.text(max_size=60), st.data())
def test_any_text_is_shown_whole_and_escaped(text, data):
    spans = []
    if text:
        for _ in range(data.draw(st.integers(0, 3))):
            start = data.draw(st.integers(0, len(text) - 1))
            spans.append((start, data.draw(st.integers(start + 1, len(text)))))
    found = report(text, *spans)
    view = rendering.render_answer(text, found, rendering.stream_of(text, found))
    assert plain(view) == text.replace("\r\n", "\n").replace("\r", "\n")
    for line in view.lines:
        for run in line:
            assert not re.search(r"<(?!/?span[ >])", run.html)


def test_hidden_shows_words_only():
    text = "ten days"
    found = report(text, (0, 3), notes=[(4, 8)])
    view = rendering.render_answer(text, found, None, hidden=True)
    assert view.marks == view.notes == []
    assert all(run.mark is None and run.note is None for line in view.lines for run in line)


def test_evidence_and_its_sentence_are_cut_out_of_a_source():
    text = "First. It takes 14 days here. Last."
    found = report("x", (0, 1))
    found["marks"][0]["receipt"] = {
        "source_id": "s", "start": 16, "end": 23, "text": "14 days", "sentence": {"start": 7, "end": 29},
    }  # fmt: skip
    view = rendering.render_source("s", text, rendering.mark_views(found, {}))
    assert "".join(p.text for p in view.passages) == text
    assert [p.text for p in view.passages if p.marks] == ["14 days"]
    assert "".join(p.text for p in view.passages if p.sentence) == "It takes 14 days here."


def test_a_receipt_that_does_not_fit_the_source_is_left_out():
    found = report("x", (0, 1))
    found["marks"][0]["receipt"] = {"source_id": "s", "start": 5, "end": 99, "text": "gone", "sentence": {}}
    view = rendering.render_source("s", "short text", rendering.mark_views(found, {}))
    assert [p.text for p in view.passages] == ["short text"] or "".join(p.text for p in view.passages) == "short text"
    assert not view.has_evidence


@given(st.text(max_size=80), st.text(max_size=80), st.booleans())
def test_a_word_diff_holds_both_texts(old, new, always):
    pieces = rendering.word_diff(old, new, always=always)
    assert "".join(p.text for p in pieces if p.op != "ins") == old
    assert "".join(p.text for p in pieces if p.op != "del") == new


def test_the_diff_of_an_answer_reads_like_the_answer():
    text = "You have 30 days. Bye."
    edits = [{"start": 9, "end": 16, "from": "30 days", "to": "14 days", "kind": "value", "marks": [0], "parent": None}]
    segments = rendering.render_diff(text, edits, [0])
    assert "".join(s.text or s.edit.old for s in segments) == text
    assert [s.edit.on for s in segments if s.edit] == [False]


OLD = "The museum opens at nine and tickets are sold at the desk in the hall until five in the afternoon."


def ops(old, new, **more):
    pieces = rendering.word_diff(old, new, **more)
    assert "".join(p.text for p in pieces if p.op != "ins") == old
    assert "".join(p.text for p in pieces if p.op != "del") == new
    return [piece.op for piece in pieces]


@pytest.mark.parametrize("always", [False, True])
def test_texts_with_little_in_common_are_shown_whole(always):
    new = "Entry is free. The museum is open on weekdays; guided walks start in the courtyard at ten and at two."
    assert ops(OLD, new, always=always) == ["del", "ins"]


def test_a_change_of_some_words_is_shown_word_by_word():
    assert ops(OLD, OLD.replace("nine", "ten")) == ["same", "del", "ins", "same"]


def test_neighbouring_words_change_together():
    assert ops(OLD, OLD.replace("opens at nine", "closes by three")) == ["same", "del", "ins", "same"]


def test_a_rewrite_is_shown_as_two_wholes():
    new = OLD.replace("nine", "ten")
    edit = {"start": 0, "end": len(OLD), "from": OLD, "to": new, "kind": "rewrite"}
    (segment,) = rendering.render_diff(OLD, [edit])
    assert [(piece.op, piece.text) for piece in segment.edit.pieces] == [("del", OLD), ("ins", new)]
