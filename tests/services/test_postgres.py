"""The web's own tests once more, on PostgreSQL: what holds on the embedded database must hold there too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("room", ["records", "intake", "review", "calibration"])
def test_the_web_tests_pass_on_postgresql(room, postgres):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", f"tests/webapp/{room}", "-q", "--no-header"],
        cwd=ROOT,
        env={**os.environ, "TEST_WEB_DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
