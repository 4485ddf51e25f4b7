"""smolagents: `ToolCallingAgent(…, step_callbacks=[step_callback(run)])`."""

from __future__ import annotations

from typing import Any, Callable

from smolagents.memory import ActionStep, MemoryStep

from .messages import call_text, content_text
from .run import AnyRun


def step_callback(run: AnyRun) -> Callable[[MemoryStep], None]:
    """Records every step as a turn of the run. What steps return may be anything: a number, a dict, None."""
    seen: Any = run.query

    def record(step: MemoryStep) -> None:
        nonlocal seen
        if not isinstance(step, ActionStep):
            return
        said = content_text(step.model_output)
        answers = step.is_final_answer and step.code_action is None
        calls = [call_text(name, arguments) for name, arguments in _calls(step) if name != "final_answer"]
        result = step.observations if step.observations is not None else step.action_output
        answer = result if step.action_output is None else step.action_output
        decision = step.code_action or "\n".join(calls) or (answer if answers else said)
        if step.error is not None:
            result = f"Error: {step.error.message}"
        elif answers and not calls:
            result = None
        run.turn(inputs=seen, decision=decision, result=result, memory=said if calls and not step.code_action else None)
        seen = result

    return record


def _calls(step: ActionStep) -> list[tuple[str, Any]]:
    if step.tool_calls:
        return [(call.name, call.arguments) for call in step.tool_calls]
    # A call that fails is in the message of the model only.
    message = step.model_output_message
    return [(call.function.name, call.function.arguments) for call in (message.tool_calls if message else None) or []]
