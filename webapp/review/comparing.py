"""How many people decided on an item, and whether they differ: kept on the item, by trigger.

`Item.voices` counts the standing decisions that say something of the answer; `Item.differs` says whether two of at
least two voices say different things of the answer, or of a mark, both explicitly. What is said of an answer follows
`proofing.learning.labels.answer_label`. The triggers and the counting anew are made from the same text, and put on by
`records.tallies` with the others; no other code writes these two columns.
"""

# ruff: noqa: S608 (its statements are put together from its own constants)

from __future__ import annotations

#: Decisions that say something of the answer.
SAYING = ("accept_healed", "accept_edited", "keep", "reject")

_OWN = f"d.item_id = review_item.id AND d.undone_at IS NULL AND d.kind IN {SAYING}"
_LABEL = "CASE WHEN d.kind = 'keep' THEN 0 WHEN d.kind = 'accept_edited' AND d.wording_only THEN 0 ELSE 1 END"
_VOICES = f"(SELECT COUNT(*) FROM review_decision d WHERE {_OWN})"
_LABELS = f"COALESCE((SELECT MIN({_LABEL}) < MAX({_LABEL}) FROM review_decision d WHERE {_OWN}), FALSE)"
_MARKS = (
    "EXISTS (SELECT 1 FROM review_decision d JOIN review_verdict v ON v.decision_id = d.id "
    "JOIN review_verdict w ON w.mark_id = v.mark_id JOIN review_decision e ON e.id = w.decision_id "
    "WHERE d.item_id = review_item.id AND d.undone_at IS NULL AND e.item_id = review_item.id AND e.undone_at IS NULL "
    "AND v.source = 'explicit' AND v.verdict = 'unsupported' AND w.source = 'explicit' AND w.verdict = 'supported')"
)
_DIFFERS = f"({_VOICES} >= 2 AND ({_LABELS} OR {_MARKS}))"
_SET = f"UPDATE review_item SET voices = {_VOICES}, differs = {_DIFFERS}"
_DIFFERS_OF_VERDICT = (
    f"UPDATE review_item SET differs = {_DIFFERS} "
    "WHERE voices >= 2 AND id = (SELECT item_id FROM review_decision WHERE id = {r}.decision_id)"
)

#: Table → columns whose change matters, and the statement for the changed row `{r}`.
WATCHED = {
    "review_decision": (
        "item_id, inspection_id, kind, switched_off, undone_at, wording_only",
        f"{_SET} WHERE id = {{r}}.item_id",
    ),
    # A verdict comes after its decision; where nobody else has decided, there is nobody to differ from.
    "review_verdict": ("decision_id, mark_id, verdict, source", _DIFFERS_OF_VERDICT),
}

#: Both columns of all items anew.
ANEW = (
    "UPDATE review_item SET voices = 0, differs = FALSE WHERE voices <> 0 OR differs",
    f"{_SET} WHERE id IN (SELECT item_id FROM review_decision WHERE undone_at IS NULL)",
)
#: How many items do not say what their decisions say.
WRONG = f"SELECT COUNT(*) FROM review_item WHERE voices <> {_VOICES} OR differs <> {_DIFFERS}"
