"""The server's own log, for its operator: text or JSON lines.

A full disk or an attack causes the same error thousands of times; `RepeatedMessages` counts the
repetitions instead of logging them.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from asyncio import TimerHandle, get_running_loop
from datetime import UTC, datetime
from typing import Final, TextIO

#: Seconds for which a repeated message is only counted.
REPEAT_SECONDS: Final = 60.0
#: The most causes that are counted separately.
_MAX_CAUSES: Final = 200
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
#: What a log record has without ``extra``.
_OWN_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}

access_log = logging.getLogger("passline.access")


class RepeatedMessages:
    """Logs the first message of each cause, and then every minute how many more there were."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._causes: dict[str, tuple[str, int, TimerHandle]] = {}

    def report(self, cause: str, message: str) -> None:
        """Log a message, or only count it if one with the same cause was logged in the last minute.

        Numbers in ``cause`` are ignored: waiting 3 s and waiting 4 s is the same cause.
        """
        cause = _NUMBERS.sub("N", cause)
        if cause not in self._causes and len(self._causes) >= _MAX_CAUSES:
            cause, message = "other", "other causes are counted together"
        if cause in self._causes:
            text, count, timer = self._causes[cause]
            self._causes[cause] = text, count + 1, timer
            return
        self._log.warning("%s", message)
        timer = get_running_loop().call_later(REPEAT_SECONDS, self._summarize, cause)
        self._causes[cause] = message, 0, timer

    def _summarize(self, cause: str) -> None:
        """Log how often a cause was repeated in the last minute. Forget the cause if it was not."""
        message, count, _ = self._causes.pop(cause)
        if count:
            self._log.warning("%s (%d more in %.0f s)", message, count, REPEAT_SECONDS)
            timer = get_running_loop().call_later(REPEAT_SECONDS, self._summarize, cause)
            self._causes[cause] = message, 0, timer

    def close(self) -> None:
        """Log the counts that were not logged yet."""
        for message, count, timer in self._causes.values():
            timer.cancel()
            if count:
                self._log.warning("%s (%d more)", message, count)
        self._causes.clear()


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON: ``at``, ``level``, ``logger``, ``message``.

    Each value passed as ``extra`` is a further field; ``error`` is a traceback.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, object] = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= {key: value for key, value in vars(record).items() if key not in _OWN_FIELDS}
        if record.exc_info:
            fields["error"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


class _TextFormatter(logging.Formatter):
    """Formats a log record as text. Control characters from clients cannot break the line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        record.message = "".join(
            char if char.isprintable() else repr(char)[1:-1] for char in record.message
        )
        return super().formatMessage(record)


def set_up_logging(form: str, access: bool, stream: TextIO | None = None) -> None:
    """Send the server's log to standard error (or ``stream``), as ``text`` or ``json`` lines.

    ``access`` means to log every request too.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    text = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(JsonFormatter() if form == "json" else _TextFormatter(text))
    root = logging.getLogger()
    root.handlers = [handler]
    access_log.setLevel(logging.INFO if access else logging.WARNING)
