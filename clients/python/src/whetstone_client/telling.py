"""Logs what went wrong: the first of each kind at once, the next ones at most every five minutes."""

from __future__ import annotations

import logging
from threading import Lock
from time import monotonic

logger = logging.getLogger("whetstone_client")


class Teller:
    def __init__(self, every: float = 300.0) -> None:
        self._every = every
        self._lock = Lock()
        self._next: dict[str, float] = {}
        #: How many of a kind were kept back, and the last of them.
        self._kept_back: dict[str, tuple[int, str, int]] = {}

    def tell(self, kind: str, message: str, level: int = logging.WARNING) -> None:
        with self._lock:
            if monotonic() < self._next.get(kind, 0.0):
                more = self._kept_back[kind][0] if kind in self._kept_back else 0
                self._kept_back[kind] = more + 1, message, level
                return
            self._next[kind] = monotonic() + self._every
            more = self._kept_back.pop(kind, (0,))[0]
        _log(message, level, more)

    def tell_kept_back(self, kind: str) -> None:
        """At the end, when there is no next time."""
        with self._lock:
            kept_back = self._kept_back.pop(kind, None)
        if kept_back is not None:
            count, message, level = kept_back
            _log(message, level, count - 1)


def _log(message: str, level: int, more: int) -> None:
    logger.log(level, "%s%s", message, f" ({more} more like this since the last message)" if more else "")
