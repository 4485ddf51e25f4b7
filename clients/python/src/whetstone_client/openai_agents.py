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

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: str | None, input_items: list[Any]) -> None:
        last = input_items[-1] if input_items else None
        if isinstance(last, dict):
            self._seen = content_text(last.get("content") or last.get("output")) or self._seen

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        words = [item for item in response.output if getattr(item, "type", None) == "message"]
        self._said = "\n".join(str(turn["decision"]) for turn in turns_from_messages(words))

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: object) -> None:
        decision = call_text(getattr(tool, "name", "tool"), getattr(context, "tool_arguments", None))
        self._run.turn(inputs=self._seen, decision=decision, result=content_text(result), memory=self._said or None)

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        decision = call_text("handoff", {"from": from_agent.name, "to": to_agent.name})
        self._run.turn(inputs=self._seen, decision=decision)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        self._run.turn(inputs=self._seen, decision=output)
