"""OpenAI Agents SDK: `await Runner.run(agent, run.task, hooks=WhetstoneRunHooks(run))`."""

from __future__ import annotations

from typing import Any

from agents import RunHooks

from .messages import call_text, content_text, turns_from_messages
from .run import AnyRun


class WhetstoneRunHooks(RunHooks[Any]):
    """Records every tool call, handoff and final answer as a turn of the run. Make one for each `Runner.run`."""

    def __init__(self, run: AnyRun) -> None:
        self._run = run
        self._seen = run.query
        self._said = ""
        #: Tool calls under way. One that raises ends the agent and has no `on_tool_end`.
        self._calls: dict[str, str] = {}
        run._before_upload.append(self._record_unfinished)

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: str | None, input_items: list[Any]) -> None:
        last = input_items[-1] if input_items else None
        if isinstance(last, dict):
            self._seen = content_text(last.get("content") or last.get("output")) or self._seen

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        words = [item for item in response.output if getattr(item, "type", None) == "message"]
        self._said = "\n".join(str(turn["decision"]) for turn in turns_from_messages(words))

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        self._calls[_id(context, tool)] = _call(context, tool)

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        decision = self._calls.pop(_id(context, tool), None) or _call(context, tool)
        self._run.turn(inputs=self._seen, decision=decision, result=content_text(result), memory=self._said or None)

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        decision = call_text("handoff", {"from": from_agent.name, "to": to_agent.name})
        self._run.turn(inputs=self._seen, decision=decision)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        self._run.turn(inputs=self._seen, decision=output)

    def _record_unfinished(self) -> None:
        error = self._run.metadata.get("error")
        for decision in self._calls.values():
            self._run.turn(
                inputs=self._seen, decision=decision, result=error and f"Error: {error}", memory=self._said or None
            )


def _id(context: Any, tool: Any) -> str:
    return str(getattr(context, "tool_call_id", None) or getattr(tool, "name", "tool"))


def _call(context: Any, tool: Any) -> str:
    return call_text(getattr(tool, "name", "tool"), getattr(context, "tool_arguments", None))
