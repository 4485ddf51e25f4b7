"""What went wrong, told through `logging`: each kind at once, then at most every five minutes."""

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
        self._kept_back: dict[str, int] = {}

    def tell(self, kind: str, message: str, level: int = logging.WARNING) -> None:
        with self._lock:
            if monotonic() < self._next.get(kind, 0.0):
                self._kept_back[kind] = self._kept_back.get(kind, 0) + 1
                return
            self._next[kind] = monotonic() + self._every
            more = self._kept_back.pop(kind, 0)
        logger.log(level, "%s%s", message, f" ({more} more like this since it was last told)" if more else "")
