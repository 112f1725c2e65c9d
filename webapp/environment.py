"""What the environment says, read once and typed. Nothing else in the web half reads ``os.environ``.

Every variable the project knows stands in ``VARIABLES``; a value that cannot be read, a ``PROOFMARK_…`` name nobody
knows and a production start without its secrets raise `SettingError`, whose text is one line a person can act on.
No Django in here: the supervisor and the tests read the same table.

>>> read_environment({"PORT": "80a"}, base_dir=Path("/srv"))
Traceback (most recent call last):
    ...
webapp.environment.SettingError: PORT=80a: not a whole number. PORT is the port the web server listens on.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import available_timezones

#: The longest path a unix socket may have on every system we run on (108 bytes on Linux, 104 on macOS, less the NUL).
SOCKET_PATH_LIMIT = 100

PREFIX = "PROOFMARK_"
#: An API token with fewer characters could be guessed.
SHORTEST_TOKEN = 16


class SettingError(ValueError):
    """A setting is unknown, malformed or missing; the text says which, and what it is for."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: its name, how to read it, what stands when it is not set, what it is for."""

    name: str
    read: Callable[[str], object]
    default: str
    about: str


def _text(raw: str) -> str:
    return raw.strip()


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(raw: str) -> int:
        try:
            number = int(raw)
        except ValueError:
            raise ValueError("not a whole number") from None
        if not low <= number <= high:
            raise ValueError(f"not between {low} and {high}")
        return number

    return read


def _switch(raw: str) -> bool:
    value = raw.strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off", ""}:
        return False
    raise ValueError("not a switch (write 1 or 0)")


def _names(raw: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in raw.split(",") if part.strip())


def _issuer(raw: str) -> str:
    issuer = raw.strip().rstrip("/")
    if issuer:
        parts = urlsplit(issuer)
        safe = parts.scheme == "https" or (
            parts.scheme == "http" and parts.hostname in {"localhost", "127.0.0.1", "::1"}
        )
        if not safe or not parts.hostname or parts.query or parts.fragment:
            raise ValueError("no issuer (write https://host/path, without a query)")
    return issuer


def _collector(raw: str) -> str:
    address = raw.strip()
    if address and (urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname):
        raise ValueError("no address (write http://host:4318)")
    return address


def _origins(raw: str) -> tuple[str, ...]:
    origins = _names(raw)
    for origin in origins:
        if urlsplit(origin).scheme not in {"http", "https"} or not urlsplit(origin).netloc:
            raise ValueError(f"{origin!r} is no origin (write https://host)")
    return origins


def _one_of(*allowed: str) -> Callable[[str], str]:
    def read(raw: str) -> str:
        if raw.strip() not in allowed:
            raise ValueError(f"not one of {', '.join(allowed)}")
        return raw.strip()

    return read


def _url(*schemes: str) -> Callable[[str], str]:
    def read(raw: str) -> str:
        raw = raw.strip()
        if not raw:
            return raw
        try:
            parts = urlsplit(raw)
            host, _port = parts.hostname, parts.port
        except ValueError as error:
            raise ValueError(f"no usable address ({error})") from None
        if parts.scheme not in schemes:
            raise ValueError(f"its scheme is not one of {', '.join(schemes)}")
        if parts.scheme in REDIS_SCHEMES[:2] and not host:
            raise ValueError(f"it names no host (write {parts.scheme}://host:6379/0)")
        if parts.scheme not in REDIS_SCHEMES[:2] and not parts.path.strip("/"):
            what = "no database (write postgres://user@host/name)" if "postgres" in parts.scheme else "no file"
            raise ValueError(f"it names {what}")
        return raw

    return read


def _hosts(raw: str) -> tuple[str, ...]:
    if not _names(raw):
        raise ValueError("it names no host")
    return _names(raw)


def _listening(raw: str) -> str:
    raw = raw.strip()
    if raw != "localhost":
        try:
            ip_address(raw)
        except ValueError:
            raise ValueError("no address of this machine (write 127.0.0.1, 0.0.0.0 or ::)") from None
    return raw


def _entity_model(raw: str) -> str:
    name = raw.strip()
    if name not in ("auto", "rules") and not (name.isidentifier() and find_spec(name)):
        raise ValueError("no such model is installed")
    return name


def _long_token(raw: str) -> str:
    if raw.strip() and len(raw.strip()) < SHORTEST_TOKEN:
        raise ValueError(f"shorter than {SHORTEST_TOKEN} characters")
    return raw.strip()


def _judges(raw: str) -> str:
    path = raw.strip()
    if not path:
        return path
    from proofing.errors import BadInput
    from proofing.judges.configuration import read_judges

    if not Path(path).is_absolute():
        raise ValueError("not an absolute path")
    try:
        read_judges(path)
    except BadInput as error:
        raise ValueError(str(error)) from None
    return path


def _folder(raw: str) -> str:
    try:
        Path(raw.strip()).expanduser()
    except RuntimeError:
        raise ValueError("there is no such user's home folder") from None
    return raw.strip()


def _time_zone(raw: str) -> str:
    if raw.strip() not in available_timezones():
        raise ValueError("no such time zone")
    return raw.strip()


DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
REDIS_SCHEMES = ("redis", "rediss", "redis+socket")

#: Every variable, in the order of ``docs/settings.md`` (a test keeps the two alike).
VARIABLES = (
    Variable("PORT", _whole(1, 65535), "8000", "the port the web server listens on"),
    Variable("DATA_DIR", _folder, "var", "the folder that holds database, broker files, uploads, exports and logs"),
    Variable("DATABASE_URL", _url(*DATABASE_SCHEMES), "", "the database; unset = SQLite in DATA_DIR"),
    Variable("REDIS_URL", _url(*REDIS_SCHEMES), "", "the broker; unset = an embedded server in DATA_DIR"),
    Variable("SECRET_KEY", _text, "", "the key that signs sessions; unset = made once in DATA_DIR (not in production)"),
    Variable("ALLOWED_HOSTS", _hosts, "localhost,127.0.0.1,[::1]", "the host names the site answers to"),
    Variable("DEMO", _switch, "1", "whether the first start loads the demo"),
    Variable("DEMO_PASSWORD", _text, "", "the demo users' password; unset = random, printed once"),
    Variable("DEMO_API_TOKEN", _long_token, "", "the demo project's API token; unset = none is made"),
    Variable("PROOFMARK_MODE", _one_of("embedded", "production"), "embedded", "embedded or production"),
    Variable("PROOFMARK_BIND", _listening, "127.0.0.1", "the address the web server listens on"),
    Variable("PROOFMARK_DEBUG", _switch, "0", "whether Django shows its debug pages (never in production)"),
    Variable("PROOFMARK_HTTPS", _switch, "1", "whether production is served over HTTPS only"),
    Variable("PROOFMARK_TRUST_PROXY", _switch, "0", "whether a proxy in front sets X-Forwarded-Proto"),
    Variable("PROOFMARK_TRUSTED_ORIGINS", _origins, "", "origins that may post forms, as https://host"),
    Variable("PROOFMARK_STATIC_ROOT", _text, "", "where collectstatic writes; unset = static/ in DATA_DIR"),
    Variable("PROOFMARK_LOG_FORMAT", _one_of("text", "json"), "text", "how log lines are written"),
    Variable("PROOFMARK_LOG_LEVEL", _one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO", "the least level logged"),
    Variable("PROOFMARK_LANGUAGE", _one_of("en", "es"), "en", "the language of people who chose none"),
    Variable("PROOFMARK_TIME_ZONE", _time_zone, "UTC", "the time zone pages show times in"),
    Variable(
        "PROOFMARK_ENTITY_MODEL", _entity_model, "auto", "the spaCy model for names: an import name, auto or rules"
    ),
    Variable("PROOFMARK_ENCODER", _text, "auto", "the sentence encoder of the deep tier: a folder or auto"),
    Variable("PROOFMARK_CACHE", _text, "", "where the engine keeps its exported encoder; unset = ~/.cache/proofmark"),
    Variable("PROOFMARK_TRACE", _switch, "0", "whether the command line shows tracebacks"),
    Variable("PROOFMARK_WORKERS", _whole(1, 64), "1", "how many answers are proofread at once on this machine"),
    Variable("PROOFMARK_WEB_THREADS", _whole(1, 256), "8", "threads of the web server"),
    Variable("PROOFMARK_UPLOAD_LIMIT_MB", _whole(1, 4096), "1024", "the largest file that may be uploaded, in MiB"),
    Variable(
        "PROOFMARK_CORPUS_LIMIT",
        _whole(1, 500),
        "20",
        "the most text a project's corpus may hold, in millions of characters",
    ),
    Variable("PROOFMARK_REAPER_SECONDS", _whole(1, 3600), "15", "how often unfinished work is looked for"),
    Variable("PROOFMARK_STALE_SECONDS", _whole(2, 86400), "60", "silence after which work counts as abandoned"),
    Variable(
        "PROOFMARK_VISIBILITY_SECONDS", _whole(5, 86400), "120", "when the broker hands out an unfinished task again"
    ),
    Variable("PROOFMARK_JUDGES", _judges, "", "the file that names the site's judges (see judges.md); unset = none"),
    Variable("PROOFMARK_METRICS_TOKEN", _text, "", "bearer token for /metrics; unset = only this machine may read it"),
    Variable(
        "OTEL_EXPORTER_OTLP_ENDPOINT", _collector, "", "the OpenTelemetry collector traces go to; unset = no traces"
    ),
    Variable("PROOFMARK_OIDC_ISSUER", _issuer, "", "the OpenID Connect provider people may log in with; unset = none"),
    Variable("PROOFMARK_OIDC_CLIENT_ID", _text, "", "the name this site has at that provider"),
    Variable("PROOFMARK_OIDC_CLIENT_SECRET", _text, "", "the secret this site has at that provider"),
    Variable("PROOFMARK_OIDC_NAME", _text, "", "what the log-in page calls that provider; unset = its host"),
    Variable(
        "PROOFMARK_OIDC_NEW_USERS", _switch, "1", "whether people it vouches for get an account at their first log-in"
    ),
    Variable("PROOFMARK_WEBHOOK_HOSTS", _names, "", "hosts in private networks that webhooks may call"),
)


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment, typed. Field by field the lower-case names of ``VARIABLES``."""

    port: int
    data_dir: Path
    database_url: str
    redis_url: str
    secret_key: str
    allowed_hosts: tuple[str, ...]
    demo: bool
    demo_password: str
    demo_api_token: str
    mode: str
    bind: str
    debug: bool
    https: bool
    trust_proxy: bool
    trusted_origins: tuple[str, ...]
    static_root: Path
    log_format: str
    log_level: str
    language: str
    time_zone: str
    entity_model: str
    encoder: str
    cache: str  # the engine reads it itself; it stands here so that it is a known name
    trace: bool  # likewise
    workers: int
    web_threads: int
    upload_limit_mb: int
    corpus_limit: int
    reaper_seconds: int
    stale_seconds: int
    visibility_seconds: int
    judges: str
    metrics_token: str
    otel_exporter_otlp_endpoint: str  # the SDK reads it itself, with the other OTEL_… names
    oidc_issuer: str
    oidc_client_id: str
    oidc_client_secret: str
    oidc_name: str
    oidc_new_users: bool
    webhook_hosts: tuple[str, ...]

    @property
    def production(self) -> bool:
        return self.mode == "production"

    @property
    def embedded_broker(self) -> bool:
        """Whether this machine's own broker is to be started (no REDIS_URL was given)."""
        return not self.redis_url

    @property
    def broker_socket(self) -> Path:
        """Where the embedded broker listens: in ``data_dir``, or in a short folder of our own when that is too long."""
        wanted = self.data_dir / "broker" / "broker.sock"
        if len(os.fsencode(wanted)) <= SOCKET_PATH_LIMIT:
            return wanted
        short = hashlib.sha256(os.fsencode(self.data_dir)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"proofmark-{os.getuid()}-{short}" / "broker.sock"

    @property
    def broker_url(self) -> str:
        return self.redis_url or f"redis+socket://{self.broker_socket}"

    @property
    def sqlite_path(self) -> Path:
        return self.data_dir / "proofmark.sqlite3"


def read_environment(values: Mapping[str, str], *, base_dir: Path) -> Environment:
    """Read ``values`` (usually ``os.environ``); relative folders count from ``base_dir``. Raises `SettingError`."""
    _refuse_unknown(values)
    read: dict[str, object] = {}
    for variable in VARIABLES:
        raw = values.get(variable.name, "")
        try:
            value = variable.read(raw if raw.strip() else variable.default)
        except ValueError as error:
            raise SettingError(f"{_shown(variable, raw)}: {error}. {variable.name} is {variable.about}.") from None
        read[variable.name.removeprefix(PREFIX).lower()] = value
    data_dir = (base_dir / Path(str(read["data_dir"])).expanduser()).resolve()
    read["data_dir"] = data_dir
    read["static_root"] = base_dir / str(read["static_root"]) if read["static_root"] else data_dir / "static"
    environment = Environment(**read)  # type: ignore[arg-type]  # each reader gives its field's type
    _refuse_half_production(environment, values)
    _refuse_half_provider(environment)
    return environment


def _shown(variable: Variable, raw: str) -> str:
    """The setting as it was given, without its secret part: it goes to logs."""
    if variable.name.endswith(("_KEY", "_TOKEN", "_PASSWORD", "_SECRET")):
        return variable.name
    return f"{variable.name}={re.sub(r'//[^/@]*@', '//…@', raw)}"


def _refuse_unknown(values: Mapping[str, str]) -> None:
    known = [variable.name for variable in VARIABLES]
    for name in sorted(values):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
            hint = f" Did you mean {near[0]}?" if near else " docs/settings.md lists what there is."
            raise SettingError(f"{name}: no such setting.{hint}")


def _refuse_half_production(environment: Environment, values: Mapping[str, str]) -> None:
    if not environment.production:
        return
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"):
        if not values.get(name, "").strip():
            raise SettingError(f"{name} is not set, and PROOFMARK_MODE=production needs it.")
    if len(environment.secret_key) < 32:
        raise SettingError("SECRET_KEY: shorter than 32 characters. Make one with: openssl rand -base64 48")
    if environment.debug:
        raise SettingError("PROOFMARK_DEBUG=1: not with PROOFMARK_MODE=production.")


def _refuse_half_provider(environment: Environment) -> None:
    parts = {
        "PROOFMARK_OIDC_ISSUER": environment.oidc_issuer,
        "PROOFMARK_OIDC_CLIENT_ID": environment.oidc_client_id,
        "PROOFMARK_OIDC_CLIENT_SECRET": environment.oidc_client_secret,
    }
    lacking = [name for name, value in parts.items() if not value]
    if lacking and len(lacking) < len(parts):
        given = next(name for name, value in parts.items() if value)
        raise SettingError(f"{lacking[0]} is not set, and {given} needs it: log-in by a provider takes all three.")


def private_folder(path: Path) -> Path:
    """Make ``path`` a folder only its owner may enter; raises `SettingError` when it belongs to somebody else."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        raise SettingError(f"DATA_DIR: cannot make {path} ({error.strerror}).") from None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise SettingError(f"DATA_DIR: {path} belongs to another user.")
    return path


def secret_key(environment: Environment) -> str:
    """The signing key: the one given, or one made once and kept in ``data_dir/secret_key`` with mode 0600.

    Several processes may start at once: each writes its own file and links it into place, and only the first link
    succeeds, so that all of them read the same key.
    """
    if environment.secret_key:
        return environment.secret_key
    path = private_folder(environment.data_dir) / "secret_key"
    if not path.exists():
        own = path.with_name(f"secret_key.{os.getpid()}")
        own.touch(mode=0o600)
        own.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            os.link(own, path)
        except FileExistsError:
            pass  # another process was first; its key is the key
        finally:
            own.unlink()
    return path.read_text(encoding="ascii").strip()
