"""The project's settings for tests: a data folder of their own, quick passwords, tasks run where they are sent."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_folder = tempfile.mkdtemp(prefix="proofmark-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)

os.environ["DATA_DIR"] = _folder
os.environ["DATABASE_URL"] = os.environ.get("TEST_WEB_DATABASE_URL", "")
os.environ["PROOFMARK_LOG_LEVEL"] = "WARNING"
for _name in (
    "REDIS_URL",
    "SECRET_KEY",
    "DEMO_PASSWORD",
    "DEMO_API_TOKEN",
    "PROOFMARK_MODE",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
):
    os.environ.pop(_name, None)
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in the thread of the tests

from webapp.settings import *  # noqa: E402, F403
from webapp.settings import DATABASES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(Path(os.environ["DATA_DIR"]) / "tests.sqlite3")}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}
