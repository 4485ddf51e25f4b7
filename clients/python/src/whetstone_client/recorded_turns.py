"""The turns of a run, within the server's limits however many there are."""

from __future__ import annotations

import json
from collections import deque
from threading import Lock

OPENING_LINE = "--- Recommendations from past runs ---"
CLOSING_LINE = "--- End of recommendations ---"

#: Characters of a value.
VALUE_CHARS = 32 * 1024
#: Bytes of all turns as JSON. A body may have 4 MiB; the rest is for the task and the metadata.
TURNS_BYTES = 3 * 1024 * 1024


def without_advice(text: str) -> str:
    """Takes recommendations out, with the blank lines before them: what Whetstone said is not what the agent did.
    Also inside JSON."""
    kept: list[str] = []
    start = 0
    while True:
        opening = text.find(OPENING_LINE, start)
        closing = text.find(CLOSING_LINE, opening) if opening >= 0 else -1
        if closing < 0:
            break
        kept.append(_without_blank_end(text[start:opening]))
        start = closing + len(CLOSING_LINE)
    return text if start == 0 else "".join(kept) + text[start:]


def _without_blank_end(text: str) -> str:
    end = len(text)
    while True:
        if end > 0 and text[end - 1].isspace():
            end -= 1
        elif text.endswith(("\\n", "\\r"), 0, end):
            end -= 2
        else:
            return text[:end]


def text_of(value: object) -> str | None:
    """Text as it is, None as None, anything else as JSON or, if it has none, as it prints."""
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=dumped_or_printed, separators=(",", ":"))
    except Exception:  # noqa: BLE001 - agents hand over anything, and a record must not break them
        return printed(value)


def dumped_or_printed(value: object) -> object:
    """The fields of a pydantic model, which the objects of most SDKs are; else what it prints."""
    dump = getattr(value, "model_dump", None)
    return dump() if callable(dump) else str(value)


def printed(value: object) -> str:
    """For values that do not even print, their type."""
    try:
        return str(value)
    except Exception:  # noqa: BLE001
        return f"<{type(value).__name__}>"


def shorten(text: str, chars: int) -> str:
    """Keeps the beginning and the end, and says how much is missing between them."""
    if len(text) <= chars:
        return well_formed(text)
    tail = chars // 4
    mark = f"\n… [{len(text) - chars} characters left out] …\n"
    return well_formed(text[: chars - tail] + mark + text[len(text) - tail :])


def well_formed(text: str) -> str:
    """The server refuses halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class RecordedTurns:
    """The first and the last turns, half of the bytes each. Their numbers show the gap between them."""

    def __init__(self, value_chars: int = VALUE_CHARS, turns_bytes: int = TURNS_BYTES) -> None:
        self._value_chars = value_chars
        self._half = turns_bytes // 2
        self._lock = Lock()
        self._first: list[bytes] = []
        self._last: deque[bytes] = deque()
        self._first_bytes = 0
        self._last_bytes = 0
        #: Turns that were added.
        self.count = 0
        #: Values that were cut.
        self.shortened = 0
        #: Turns that were left out.
        self.left_out = 0

    def add(self, inputs: object, decision: object, result: object = None, memory: object = None) -> None:
        with self._lock:
            self.count += 1
            turn: dict[str, object] = {
                "turn": self.count,
                "inputs": self._text(inputs) or "",
                "decision": self._text(decision) or "",
            }
            for name, value in (("result", result), ("memory", memory)):
                if value is not None:
                    turn[name] = self._text(value)
            self._keep(json.dumps(turn, ensure_ascii=False, separators=(",", ":")).encode())

    def to_json(self) -> bytes:
        with self._lock:
            return b"[" + b",".join([*self._first, *self._last]) + b"]"

    def _text(self, value: object) -> str | None:
        text = text_of(value)
        if text is None:
            return None
        own = without_advice(text)
        if len(own) > self._value_chars:
            self.shortened += 1
        return shorten(own, self._value_chars)

    def _keep(self, turn: bytes) -> None:
        size = len(turn) + 1
        if not self._last and self._first_bytes + size <= self._half:
            self._first.append(turn)
            self._first_bytes += size
            return
        self._last.append(turn)
        self._last_bytes += size
        while self._last_bytes > self._half and len(self._last) > 1:
            self._last_bytes -= len(self._last.popleft()) + 1
            self.left_out += 1
