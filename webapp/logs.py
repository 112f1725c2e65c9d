"""Log lines as JSON objects, one a line, for those who collect them (``PROOFMARK_LOG_FORMAT=json``)."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

#: What every record carries; anything else was given by the caller with ``extra=`` and goes into the line.
STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class RefusalFilter(logging.Filter):
    """Leaves the traceback out of a request that was refused (400 to 499): the line says all there is to know."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True


class JsonFormatter(logging.Formatter):
    """Writes time (UTC, ISO 8601), level, logger, message, the caller's extra fields and the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update({name: value for name, value in vars(record).items() if name not in STANDARD})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
