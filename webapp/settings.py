"""Django's settings, all of them. What differs between machines comes from the environment (`webapp.environment`)."""

from __future__ import annotations

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from webapp.environment import SettingError, private_folder, read_environment
from webapp.environment import secret_key as read_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent

try:
    ENVIRONMENT = read_environment(os.environ, base_dir=BASE_DIR)
    DATA_DIR = private_folder(ENVIRONMENT.data_dir)
    SECRET_KEY = read_secret_key(ENVIRONMENT)
except SettingError as error:
    sys.exit(f"Proofmark cannot start. {error}")

DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
PRODUCTION = ENVIRONMENT.production

UPLOADS_DIR = DATA_DIR / "uploads"
EXPORTS_DIR = DATA_DIR / "exports"
UPLOAD_LIMIT = ENVIRONMENT.upload_limit_mb * 1024 * 1024  # bytes
CORPORA_DIR = DATA_DIR / "corpora"
CORPUS_LIMIT = ENVIRONMENT.corpus_limit * 1_000_000  # characters
API_BODY_LIMIT = 20 * 1024 * 1024  # bytes; a request may carry 500 answers
STALE_AFTER_SECONDS = ENVIRONMENT.stale_seconds
REAPER_SECONDS = ENVIRONMENT.reaper_seconds
ENTITY_MODEL = ENVIRONMENT.entity_model
ENCODER = ENVIRONMENT.encoder
DEMO_PASSWORD = ENVIRONMENT.demo_password
DEMO_API_TOKEN = ENVIRONMENT.demo_api_token
JUDGES_FILE = ENVIRONMENT.judges
METRICS_TOKEN = ENVIRONMENT.metrics_token
TRACES_ENDPOINT = ENVIRONMENT.otel_exporter_otlp_endpoint
WEBHOOKS_AT_ONCE = max(1, ENVIRONMENT.workers // 2)  # half of the workers are never kept by other people's servers
WEBHOOK_HOSTS = frozenset(host.lower() for host in ENVIRONMENT.webhook_hosts)

# Applications and middleware ------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "webapp",
    "webapp.accounts",
    "webapp.records",
    "webapp.intake",
    "webapp.corpus",
    "webapp.review",
    "webapp.calibration",
    "webapp.judges",
    "webapp.webhooks",
    "webapp.insights",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "webapp.tracing.TracingMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webapp.accounts.middleware.PreferencesMiddleware",
    "webapp.intake.middleware.NoNulMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "webapp.review.reading_direction.ShowOverridesMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it answers for a log-in that was refused
]

ROOT_URLCONF = "webapp.urls"
WSGI_APPLICATION = "webapp.wsgi.application"
ASGI_APPLICATION = "webapp.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "webapp.accounts.context.roles",
            ],
        },
    },
]

# Database -------------------------------------------------------------------------------------------------------------

#: Each write of SQLite takes the lock when its transaction begins, so that no transaction fails half-way for having
#: read first; WAL lets pages be read meanwhile; FULL keeps a decision through a power cut.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=30000;",
}


def database(url: str) -> dict[str, Any]:
    """Django's description of the database at ``url``, with the options each kind needs."""
    parsed: dict[str, Any] = environ.Env.db_url_config(url)
    if parsed["ENGINE"] == "django.db.backends.sqlite3":
        parsed["OPTIONS"] = {**SQLITE_OPTIONS, **parsed.get("OPTIONS", {})}
    else:
        parsed["CONN_MAX_AGE"] = 60
        parsed["CONN_HEALTH_CHECKS"] = True
    return parsed


DATABASES = {"default": database(ENVIRONMENT.database_url or f"sqlite:///{ENVIRONMENT.sqlite_path}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# One web process serves the embedded default, so memory is cache enough; production has many and shares Redis.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": ENVIRONMENT.redis_url,
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},  # seconds; a request does not wait for it longer
    }
    if PRODUCTION
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# Background work ------------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = ENVIRONMENT.broker_url
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_DEFAULT_QUEUE = "interactive"
CELERY_TASK_TIME_LIMIT = 3600
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 3
# A task that cannot be queued now is found by the reaper, so no request waits long for a broker that is down.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.3}
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": ENVIRONMENT.visibility_seconds,
    # Without these two the broker looks for unfinished tasks only about every 100 seconds.
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "queue_order_strategy": "priority",
    "socket_connect_timeout": 3,
    "global_keyprefix": "proofmark:",
}
CELERY_TIMEZONE = "UTC"

# People, sessions, security -------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "desk"
LOGOUT_REDIRECT_URL = "accounts:login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

#: Guessing passwords: after ten wrong ones from one address for one name, that pair waits a quarter of an hour. Not the
#: name alone, or anybody could lock a colleague out.
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "webapp.accounts.middleware.client_address"
AXES_LOCKOUT_CALLABLE = "webapp.accounts.views.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who logged in when is not ours to collect
AXES_VERBOSE = False

# Log-in by an OpenID Connect provider, when the environment names one; its addresses come from its own description.
OIDC_ISSUER = ENVIRONMENT.oidc_issuer
OIDC_NAME = ENVIRONMENT.oidc_name
OIDC_RP_CLIENT_ID = ENVIRONMENT.oidc_client_id
OIDC_RP_CLIENT_SECRET = ENVIRONMENT.oidc_client_secret
OIDC_CREATE_USER = ENVIRONMENT.oidc_new_users
OIDC_RP_SCOPES = "openid profile email"
OIDC_USE_PKCE = True
OIDC_TIMEOUT = 10  # seconds
OIDC_AUTHENTICATION_CALLBACK_URL = "accounts:oidc_callback"
LOGIN_REDIRECT_URL_FAILURE = "accounts:login"
if OIDC_ISSUER:
    AUTHENTICATION_BACKENDS.append("webapp.accounts.provider.ProviderBackend")

HTTPS_ONLY = PRODUCTION and ENVIRONMENT.https
SESSION_COOKIE_NAME = "proofmark_session"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS_ONLY
CSRF_COOKIE_NAME = "proofmark_csrf"
CSRF_FAILURE_VIEW = "webapp.review.errors.csrf_failed"
CSRF_COOKIE_HTTPONLY = True  # pages carry the token themselves, no script reads the cookie
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS_ONLY
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.trusted_origins)
SECURE_SSL_REDIRECT = HTTPS_ONLY
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]  # probes come from inside, without TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS_ONLY else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = False  # the neighbours of this host name are not ours to decide for
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.trust_proxy else None
TRUST_PROXY = ENVIRONMENT.trust_proxy
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = API_BODY_LIMIT
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024  # larger uploads go to a file at once
FILE_UPLOAD_TEMP_DIR = str(private_folder(DATA_DIR / "uploads"))
FILE_UPLOAD_PERMISSIONS = 0o600

# Languages, times, static files ---------------------------------------------------------------------------------------

LANGUAGE_CODE = ENVIRONMENT.language
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "webapp.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = ENVIRONMENT.time_zone

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = ENVIRONMENT.static_root if PRODUCTION else None
# Production serves what collectstatic hashed and compressed; everywhere else the files are served where they lie.
WHITENOISE_USE_FINDERS = not PRODUCTION
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Logs -----------------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        "json": {"()": "webapp.logs.JsonFormatter"},
    },
    "filters": {
        "request": {"()": "webapp.tracing.RequestFilter"},
        "refusal": {"()": "webapp.logs.RefusalFilter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": ENVIRONMENT.log_format,
            "filters": ["request", "refusal"],
        }
    },
    "root": {"handlers": ["stderr"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "django": {"level": ENVIRONMENT.log_level, "propagate": True, "handlers": []},
        "django.server": {"level": ENVIRONMENT.log_level, "propagate": True, "handlers": []},
        "celery": {"level": ENVIRONMENT.log_level, "propagate": True, "handlers": []},
    },
}
