"""LiteLLM: `litellm.callbacks = [WhetstoneLogger(whetstone)]`."""

from __future__ import annotations

from threading import Condition
from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from .client import AsyncWhetstone, Whetstone
from .messages import content_text
from .run import _BaseRun, live_run

#: Seconds that the end of a run waits, in the background, for calls that LiteLLM has not logged yet.
LOGGED_WITHIN = 2.0
#: Calls without an end, and conversations of a run, that are remembered.
MOST = 1000


class WhetstoneLogger(CustomLogger):
    """Records the conversations of all calls.

    Within `with whetstone.run(…)` they are turns of that run. Elsewhere, with no change to the agent, a request of a
    user with all tool calls up to the answer is a run of its own, whose outcome is unknown.
    """

    def __init__(self, whetstone: Whetstone | AsyncWhetstone) -> None:
        super().__init__()
        self._whetstone = whetstone
        self._changed = Condition()
        self._runs: dict[str, _BaseRun | None] = {}
        self._conversations: dict[_BaseRun, dict[str, list[Any]]] = {}

    def log_pre_api_call(self, model: str, messages: list[Any], kwargs: dict[str, Any]) -> None:
        """In the context of the caller, unlike all others."""
        run = live_run()
        with self._changed:
            while len(self._runs) >= MOST:
                self._runs.pop(next(iter(self._runs)))
            self._runs[_id(kwargs)] = run
            if run is not None and run not in self._conversations:
                self._conversations[run] = {}
                run._before_upload.append(lambda: self._end(run))

    def log_success_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        with self._changed:
            id = _id(kwargs)
            if id not in self._runs:
                return
            run = self._runs.pop(id)
            choices = getattr(response_obj, "choices", None)
            if choices:
                conversation = [*(kwargs.get("messages") or []), choices[0].message]
                if run is not None:
                    self._keep(run, conversation)
                elif not choices[0].message.tool_calls:
                    self._upload(conversation)
            self._changed.notify_all()

    async def async_log_success_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        self.log_success_event(kwargs, response_obj, start_time, end_time)

    def log_failure_event(self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any) -> None:
        with self._changed:
            self._runs.pop(_id(kwargs), None)
            self._changed.notify_all()

    async def async_log_failure_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        self.log_failure_event(kwargs, response_obj, start_time, end_time)

    def _keep(self, run: _BaseRun, conversation: list[Any]) -> None:
        """The latest state of each conversation; the agents of a run have one each, known by how it began."""
        conversations = self._conversations.get(run)
        if conversations is not None and len(conversations) < MOST:
            began = repr([content_text(_field(message, "content")) for message in conversation[:2]])
            known = conversations.get(began, [])
            if len(conversation) >= len(known):
                conversations[began] = conversation

    def _end(self, run: _BaseRun) -> None:
        with self._changed:
            self._changed.wait_for(lambda: all(other is not run for other in self._runs.values()), LOGGED_WITHIN)
            for conversation in self._conversations.pop(run, {}).values():
                run.messages(conversation)

    def _upload(self, conversation: list[Any]) -> None:
        users = [at for at, message in enumerate(conversation) if _field(message, "role") == "user"]
        request = conversation[users[-1] :] if users else []
        if any(_field(message, "tool_calls") for message in request):
            run = self._whetstone.run(content_text(_field(request[0], "content")))
            run.messages(request)
            run.end()


def _id(kwargs: dict[str, Any]) -> str:
    return str(kwargs.get("litellm_call_id"))


def _field(message: Any, name: str) -> Any:
    return message.get(name) if isinstance(message, dict) else getattr(message, name, None)
