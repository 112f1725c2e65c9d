"""Columns that repeat what other rows say, so that a list is one range of an index: kept by trigger.

`Decision.project`, `answer` and `received_at` are those of its item's queue and of its answer; `Answer.drifted` says
whether one of its observations drifted. An item keeps its answer and its project for good. The triggers and the
repeating anew are made from the same text, and put on by `records.tallies` with the others; no other code writes these
columns.
"""

# ruff: noqa: S608 (its statements are put together from its own constants)

from __future__ import annotations

_ITEM = "review_item i JOIN review_queue q ON q.id = i.queue_id JOIN records_answer a ON a.id = i.answer_id"
_SET = (
    "UPDATE review_decision SET (project_id, answer_id, received_at) = "
    f"(SELECT q.project_id, a.id, a.received_at FROM {_ITEM} WHERE i.id = review_decision.item_id)"
)
_OTHER_ITEM = "answer_id IS NULL OR answer_id <> (SELECT answer_id FROM review_item WHERE id = review_decision.item_id)"
_DRIFTED = "EXISTS (SELECT 1 FROM records_observation o WHERE o.answer_id = records_answer.id AND o.drifted)"
_AS_ANSWER = (
    "UPDATE review_decision SET received_at = {r}.received_at WHERE received_at <> {r}.received_at "
    "AND item_id IN (SELECT id FROM review_item WHERE answer_id = {r}.id)"
)

#: Table → columns whose change matters, and the statement for the changed row `{r}`.
WATCHED = {
    "review_decision": ("item_id", f"{_SET} WHERE id = {{r}}.id AND ({_OTHER_ITEM})"),
    "records_answer": ("received_at", _AS_ANSWER),
    "records_observation": (
        "answer_id, drifted",
        f"UPDATE records_answer SET drifted = {_DRIFTED} WHERE id = {{r}}.answer_id AND drifted <> {_DRIFTED}",
    ),
}

_WRONG_DECISION = (
    f"NOT EXISTS (SELECT 1 FROM {_ITEM} WHERE i.id = review_decision.item_id AND a.id = review_decision.answer_id "
    "AND q.project_id = review_decision.project_id AND a.received_at = review_decision.received_at)"
)
# Looked up in a list of the few that drifted: at a million answers, asking for each is slower.
_WRONG_ANSWER = "drifted <> (id IN (SELECT answer_id FROM records_observation WHERE drifted))"

#: All of these columns anew.
ANEW = (
    f"{_SET} WHERE {_WRONG_DECISION}",
    f"UPDATE records_answer SET drifted = NOT drifted WHERE {_WRONG_ANSWER}",
)
#: How many rows do not repeat what the others say.
WRONG = (
    f"SELECT (SELECT COUNT(*) FROM review_decision WHERE {_WRONG_DECISION}) + "
    f"(SELECT COUNT(*) FROM records_answer WHERE {_WRONG_ANSWER})"
)
