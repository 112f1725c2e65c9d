from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from proofing.errors import BadInput
from tests.webapp.conftest import NOW
from webapp.accounts.models import ApiToken
from webapp.accounts.services import create_token, revoke_token, set_role, token_of
from webapp.review.models import Event


def test_only_the_hash_of_a_token_is_kept(project):
    row, secret = create_token(project=project, name="bot")
    assert secret not in str(ApiToken.objects.values())
    assert token_of(secret, now=NOW) == row
    assert secret.startswith(row.prefix)


def test_a_revoked_token_is_nobodys(project, lead):
    row, secret = create_token(project=project, name="bot")
    revoke_token(token=row, actor=lead, now=NOW)
    assert token_of(secret, now=NOW) is None
    assert Event.objects.get(kind="token.revoked").actor == lead


def test_use_is_noted_at_most_once_a_minute(project, django_assert_num_queries):
    _, secret = create_token(project=project, name="bot")
    token_of(secret, now=NOW)
    with django_assert_num_queries(1):
        token_of(secret, now=NOW + timedelta(seconds=30))
    token_of(secret, now=NOW + timedelta(seconds=61))
    assert ApiToken.objects.get().last_used_at == NOW + timedelta(seconds=61)


def test_a_service_account_cannot_log_in(project, client):
    row, _ = create_token(project=project, name="bot")
    assert not row.acts_as.has_usable_password()
    assert not row.acts_as.is_active


def test_unknown_scopes_and_short_secrets_are_refused(project):
    with pytest.raises(BadInput, match="unknown scope"):
        create_token(project=project, name="bot", scopes=["everything"])
    with pytest.raises(BadInput, match="too short"):
        create_token(project=project, name="bot", secret="short")


def test_a_token_is_made_on_the_command_line(project):
    out = StringIO()
    call_command("create_token", "shop", "--scope", "read", stdout=out)
    assert token_of(out.getvalue().strip(), now=NOW).scopes == ["read"]
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("create_token", "nowhere")


def test_one_person_has_one_role_in_a_project(project, reviewer, lead):
    set_role(project=project, user=reviewer, role="lead", actor=lead)
    assert reviewer.memberships.get(project=project).role == "lead"


def test_a_command_without_a_database_says_so_in_one_line(tmp_path):
    import os
    import subprocess
    import sys

    from django.conf import settings

    env = {**os.environ, "DATA_DIR": str(tmp_path / "none"), "DJANGO_SETTINGS_MODULE": "webapp.settings"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        env.pop(name, None)
    command = [sys.executable, "manage.py", "create_token", "demo"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "make run" in done.stderr
