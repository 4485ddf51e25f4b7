"""Asks for advice without ever costing the agent more than a moment."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, Mapping

from .errors import WhetstoneError
from .recorded_turns import shorten, well_formed
from .telling import Teller
from .types import Recommendation

#: Characters of a task that are sent, and of its context: together well below the server's 256 KiB in most scripts.
TASK_CHARS = 48 * 1024
CONTEXT_CHARS = 2 * 1024
#: Seconds without a question after a failure: doubled at each, from the first to the second.
COOL_DOWN = (30.0, 300.0)


@dataclass(frozen=True)
class Advice:
    #: The task with recommendations; the plain task if there are none.
    task: str
    #: Cited by the upload, so that the outcome counts. None if the server did not answer.
    enhancement_id: str | None = None
    recommendations: list[Recommendation] = field(default_factory=list)


class Adviser:
    """A circuit breaker: after a failure nobody asks for a while, and then one does."""

    def __init__(self, teller: Teller, cool_down: float = COOL_DOWN[0]) -> None:
        self._teller = teller
        self._first_pause = cool_down
        self._pause = cool_down
        self._longest = max(cool_down, COOL_DOWN[1])
        #: 0 while the circuit is closed.
        self._open_until = 0.0
        self._probing = False
        self._lock = Lock()
        self.advised = 0
        self.away = 0

    def may_ask(self, task: str) -> bool:
        if not task.strip():
            return False
        with self._lock:
            if monotonic() < self._open_until:
                self.away += 1
                return False
            if self._open_until > 0.0:
                # Nobody else asks until this one has an answer, or is cancelled and gets none.
                self._probing = True
                self._open_until = monotonic() + self._pause
            return True

    def question(self, task: str, context: Mapping[str, object] | None) -> dict[str, Any]:
        said = {well_formed(str(name)): shorten(str(value), CONTEXT_CHARS) for name, value in (context or {}).items()}
        return {"input_text": shorten(task, TASK_CHARS), "context": dict(list(said.items())[:8]) or None}

    def read(self, task: str, asked: str, answer: Mapping[str, Any]) -> Advice:
        """The answer begins with the task as it was sent. Any other is not from Whetstone."""
        response, metadata = answer.get("response"), answer.get("metadata")
        if not isinstance(response, str) or not response.startswith(asked) or not isinstance(metadata, dict):
            raise WhetstoneError(
                "POST /enhance_task: not an answer from Whetstone. Is something else at this address?",
                code="unexpected_answer",
                retryable=True,
            )
        with self._lock:
            self.advised += 1
            self._close()
        recommendations = metadata.get("recommendations")
        cited = metadata.get("enhancement_id")
        return Advice(
            task + response[len(asked) :],
            cited if isinstance(cited, str) else None,
            recommendations if isinstance(recommendations, list) else [],
        )

    def failed(self, task: str, error: Exception) -> Advice:
        """The plain task, and no more questions for a while."""
        told = error if isinstance(error, WhetstoneError) else WhetstoneError("", code="unreachable", retryable=True)
        refused = told.refused
        with self._lock:
            self.away += 1
            if told.status is not None and told.status < 500 and not refused and not told.retryable:
                self._close()  # The server answers; it is this task that it does not take.
            else:
                pause = self._longest if refused else self._pause
                if told.retry_after is not None:
                    pause = min(self._longest, told.retry_after)
                until = monotonic() + pause
                # Questions that were under way together fail together, and count once.
                if self._probing or self._open_until == 0.0:
                    self._pause = min(self._longest, self._pause * 2)
                    self._open_until = until
                elif refused or told.retry_after is not None:
                    self._open_until = max(self._open_until, until)
                self._probing = False
        if refused:
            what = f"No advice: the server refuses the key. Check WHETSTONE_KEY and its scopes: {error}"
            self._teller.tell("refused", what, logging.ERROR)
        else:
            self._teller.tell("away", f"No advice; the agent gets the plain task: {error}")
        return Advice(task)

    def _close(self) -> None:
        self._open_until = 0.0
        self._pause = self._first_pause
        self._probing = False
