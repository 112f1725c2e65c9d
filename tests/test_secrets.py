"""No key, token or password of anybody stands in a tracked file."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: What secrets look like: private keys, and the tokens of services that give theirs a known beginning.
SECRETS = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b"
    rb"|\bgithub_pat_\w{60,}|\bglpat-[\w-]{20}\b|\bxox[abprs]-[\w-]{20,}|\bsk-(?:proj-|ant-)?[\w-]{32,}\b"
    rb"|\bAIza[\w-]{35}\b|\bhf_[A-Za-z]{34}\b|\bpypi-AgEI[\w-]{40,}|\bey[JK][\w-]{20,}\.ey[JK][\w-]{20,}\.[\w-]{20,}"
)


def test_no_tracked_file_holds_a_secret():
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("no checkout: nothing says which files are the project's")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    files = [ROOT / name.decode() for name in names if name]
    found = {
        str(file.relative_to(ROOT)): match.group()[:20]
        for file in files
        if file.is_file() and (match := SECRETS.search(file.read_bytes()))
    }
    assert not found


@pytest.mark.parametrize("like", [b"-----BEGIN RSA " + b"PRIVATE KEY-----", b"AKIA" + b"A" * 16, b"ghp_" + b"a1" * 18])
def test_a_secret_would_be_seen(like):
    assert SECRETS.search(b'token = "' + like + b'"')
