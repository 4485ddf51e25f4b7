"""LangChain and LangGraph: `agent.invoke(…, config={"callbacks": [WhetstoneCallbackHandler(run)]})`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult

from .messages import call_text, content_text
from .run import AnyRun


class WhetstoneCallbackHandler(BaseCallbackHandler):
    """Records every tool call and every answer without one as a turn of the run, also of branches in parallel."""

    def __init__(self, run: AnyRun) -> None:
        self._run = run
        #: What the model was told, by the call of the model.
        self._told: dict[UUID, str] = {}
        #: What the model was told and said before a tool call, by the id of the tool call.
        self._origins: dict[str, tuple[str, str]] = {}
        self._last_origin = run.query, ""
        #: Tool calls under way, and the ids that the model gave them.
        self._calls: dict[UUID, tuple[str, str | None]] = {}

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **_: Any
    ) -> None:
        if messages and messages[0]:
            self._told[run_id] = content_text(messages[0][-1].content)

    def on_llm_start(self, serialized: dict[str, Any], prompts: list[str], *, run_id: UUID, **_: Any) -> None:
        if prompts:
            self._told[run_id] = prompts[-1]

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._told.pop(run_id, None)

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        seen = self._told.pop(run_id, self._run.query)
        for generation in response.generations[0][:1] if response.generations else []:
            message = generation.message if isinstance(generation, ChatGeneration) else None
            said = content_text(message.content) if message is not None else generation.text
            self._last_origin = seen, said
            calls = getattr(message, "tool_calls", None) or []
            for call in calls:
                if call.get("id"):
                    self._origins[call["id"]] = seen, said
            if not calls:
                self._run.turn(inputs=seen, decision=said)

    def on_tool_start(
        self,
        serialized: dict[str, Any],
        input_str: str,
        *,
        run_id: UUID,
        inputs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        name = (serialized or {}).get("name") or more.get("name") or "tool"
        call = call_text(name, input_str if inputs is None else inputs)
        self._calls[run_id] = call, more.get("tool_call_id")

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        is_message = isinstance(output, BaseMessage)
        result = content_text(output.content) if is_message else content_text(output)
        self._record(run_id, result, getattr(output, "tool_call_id", None))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        if any(kind.__name__ == "GraphBubbleUp" for kind in type(error).__mro__):
            self._calls.pop(run_id, None)  # Not a failure: LangGraph pauses to ask a person, or hands over.
        else:
            self._record(run_id, f"Error: {type(error).__name__}: {error}")

    def _record(self, run_id: UUID, result: str, answered_id: str | None = None) -> None:
        decision, id = self._calls.pop(run_id, ("", None))
        if decision:
            seen, said = self._origins.pop(id or answered_id or "", self._last_origin)
            self._run.turn(inputs=seen, decision=decision, result=result, memory=said or None)
