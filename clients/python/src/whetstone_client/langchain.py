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
    """Records every tool call and every answer without one as a turn of the run."""

    def __init__(self, run: AnyRun) -> None:
        self._run = run
        self._seen = run.query
        self._said = ""
        self._calls: dict[UUID, str] = {}

    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **_: Any
    ) -> None:
        if messages and messages[0]:
            self._seen = content_text(messages[0][-1].content)

    def on_llm_start(self, serialized: dict[str, Any], prompts: list[str], **_: Any) -> None:
        if prompts:
            self._seen = prompts[-1]

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        for generation in response.generations[0][:1] if response.generations else []:
            message = generation.message if isinstance(generation, ChatGeneration) else None
            self._said = content_text(message.content) if message is not None else generation.text
            if not getattr(message, "tool_calls", None):
                self._run.turn(inputs=self._seen, decision=self._said)

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
        self._calls[run_id] = call_text(name, input_str if inputs is None else inputs)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        is_message = isinstance(output, BaseMessage)
        self._record(run_id, content_text(output.content) if is_message else content_text(output))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._record(run_id, f"Error: {type(error).__name__}: {error}")

    def _record(self, run_id: UUID, result: str) -> None:
        decision = self._calls.pop(run_id, None)
        if decision is not None:
            self._run.turn(inputs=self._seen, decision=decision, result=result, memory=self._said or None)
