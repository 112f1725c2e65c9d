"""What stands for the objects that rooms added to the site's addresses; read by `test_outsiders`."""

from __future__ import annotations

from typing import Any

from tests.webapp.review.builders import NOW


def more(world: Any) -> dict[str, Any]:
    """`{name in the address: key of an object of world.project}`."""
    from webapp.accounts.members import invite
    from webapp.accounts.models import Membership
    from webapp.accounts.services import create_token
    from webapp.corpus.models import Document, Upload
    from webapp.review.models import BulkChange
    from webapp.webhooks.models import Delivery, Webhook

    webhook = Webhook.objects.create(project=world.project, url="https://xylograph.example/", salt="s", created_at=NOW)
    delivery = Delivery.objects.create(webhook=webhook, event="answer.decided", body="{}", created_at=NOW)
    change = BulkChange.objects.create(project=world.project, kind="flag", actor=world.lead, at=NOW)
    from webapp.judges.models import Doubt, JudgeRun

    asked = JudgeRun.objects.create(project=world.project, kind="answers", created_at=NOW, heartbeat_at=NOW)
    doubt = Doubt.objects.create(
        project=world.project, item=world.item, label=0, origin="decision", surprise=0.9, probability=0.9, by="engine",
        weakest="xylograph", found_at=NOW,
    )  # fmt: skip
    from webapp.calibration.models import FittedModel, LabelledSet, Refit

    labelled = LabelledSet.objects.get(project=world.project)
    refit = Refit.objects.create(
        labelled_set=labelled, project=world.project, state="refused", created_at=NOW, heartbeat_at=NOW
    )
    fitted = FittedModel.objects.create(
        project=world.project, refit=refit, version=1, name="xylograph-1", sha256="0" * 64, content=b"{}",
        columns_sha256="0" * 64, created_at=NOW,
    )  # fmt: skip
    document = Document.objects.create(
        project=world.project, key="xylograph", text="xylograph", text_hash="0", characters=9, created_at=NOW,
        changed_at=NOW,
    )  # fmt: skip
    upload = Upload.objects.create(
        project=world.project, file="uploads/none", filename="xylograph.md", file_sha256="0" * 64, format="text",
        created_at=NOW,
    )  # fmt: skip
    invitation, secret = invite(project=world.project, role="reviewer", actor=world.lead, now=NOW)
    token, _ = create_token(project=world.project, name="xylograph")
    return {
        "project_slug": world.project.slug,
        "member_id": Membership.objects.get(project=world.project, user=world.reviewer).pk,
        "invitation_id": invitation.pk,
        "secret": secret,
        "token_id": token.pk,
        "round_id": asked.pk,
        "doubt_id": doubt.pk,
        "change_id": change.pk,
        "refit_id": refit.pk,
        "model_id": fitted.pk,
        "document_id": document.pk,
        "upload_id": upload.pk,
        "webhook_id": webhook.pk,
        "delivery_id": delivery.pk,
    }
