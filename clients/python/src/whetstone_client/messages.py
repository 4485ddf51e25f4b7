"""Turns from the message lists of OpenAI and Anthropic."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping

from .recorded_turns import dumped_or_printed, text_of, without_advice
from .types import AgentTurn


def turns_from_messages(messages: Iterable[Any]) -> list[AgentTurn]:
    """The turns of a conversation: messages of OpenAI's chat completions, items of OpenAI's responses, or messages of
    Anthropic, as dicts or as the objects of their SDKs.

    System prompts are left out, and so is Whetstone's own advice. What is unknown is skipped.
    """
    turns: list[AgentTurn] = []
    builder = TurnBuilder(turns.append)
    for message in messages:
        read_message(builder, message)
    builder.end()
    return turns


@dataclass
class _Open:
    id: str | None
    turn: AgentTurn


class TurnBuilder:
    """Makes turns of what was said and done, in order.

    Each tool call is a turn, with its result and, as its memory, what the model said before it. Words without a call
    are a turn, whose result is what was said next. A turn is handed on when the model acts again.
    """

    def __init__(self, emit: Callable[[AgentTurn], object]) -> None:
        self._emit = emit
        self._count = 0
        self._heard: list[str] = []
        self._said: list[str] = []
        self._open: list[_Open] = []
        self._acted = False

    def heard(self, text: str) -> None:
        """What a person or an environment told the model."""
        self._end_words()
        self._hear(text)
        for open_ in self._open:
            if open_.id is None and open_.turn.get("result") is None:
                open_.turn["result"] = without_advice(text)

    def said(self, text: str) -> None:
        """Words or thoughts of the model."""
        if text.strip():
            self._begin_acting()
            self._said.append(without_advice(text))

    def called(self, id: str, name: str, arguments: object) -> None:
        self._begin_acting()
        memory = "\n".join(self._said)
        self._said.clear()
        turn = self._add(id, call_text(name, arguments))
        if memory:
            turn["memory"] = memory

    def returned(self, id: str, result: str) -> None:
        self._end_words()
        self._hear(result)
        for open_ in self._open:
            if open_.id == id and open_.turn.get("result") is None:
                open_.turn["result"] = without_advice(result)
                return

    def end(self) -> None:
        self._end_words()
        self._emit_open()

    def _hear(self, text: str) -> None:
        if self._acted:
            self._heard.clear()
        self._acted = False
        if text:
            self._heard.append(without_advice(text))

    def _begin_acting(self) -> None:
        if not self._acted:
            self._emit_open()
        self._acted = True

    def _end_words(self) -> None:
        if self._said:
            self._add(None, "\n".join(self._said))
            self._said.clear()

    def _add(self, id: str | None, decision: str) -> AgentTurn:
        self._count += 1
        inputs = "\n".join(self._heard)
        turn: AgentTurn = {"turn": self._count, "inputs": inputs, "decision": without_advice(decision)}
        self._open.append(_Open(id, turn))
        return turn

    def _emit_open(self) -> None:
        for open_ in self._open:
            self._emit(open_.turn)
        self._open.clear()


def call_text(name: str, arguments: object) -> str:
    """A tool call as the server reads it. Arguments come as JSON text or as values."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            pass  # Not JSON: sent as it is.
    return text_of({"name": name, "arguments": {} if arguments is None else arguments}) or ""


def read_message(builder: TurnBuilder, message: Any) -> None:
    fields = _fields(message)
    role = fields.get("role")
    content = fields.get("content")
    if role in ("assistant", "model"):
        _read_parts(builder, content, builder.said)
        builder.said(_string(fields.get("refusal")))
        for call in _list(fields.get("tool_calls")):
            _read_call(builder, call)
        # The form before tool calls had ids.
        if fields.get("function_call") is not None:
            _read_call(builder, {"function": fields["function_call"]})
    elif role == "user":
        _read_parts(builder, content, builder.heard)
    elif role in ("tool", "function"):
        builder.returned(_string(fields.get("tool_call_id") or fields.get("name")), content_text(content))
    elif role is None:
        _read_item(builder, fields)


def _read_call(builder: TurnBuilder, call: Mapping[str, Any]) -> None:
    made = _fields(call.get("function") or call.get("custom") or {})
    if made:
        name = _string(made.get("name"))
        builder.called(_string(call.get("id")) or name, name, made.get("arguments", made.get("input")))


def _read_parts(builder: TurnBuilder, content: object, tell: Callable[[str], None]) -> None:
    """Content of a message: text, or parts of which some are calls and results."""
    if isinstance(content, str):
        tell(content)
        return
    words: list[str] = []

    def tell_words() -> None:
        if words:
            tell("\n".join(words))
            words.clear()

    for part in _list(content):
        kind = _string(part.get("type"))
        if kind.endswith("tool_result"):
            tell_words()
            result = content_text(part.get("content"))
            is_error = part.get("is_error") is True and not result.lower().startswith("error")
            builder.returned(_string(part.get("tool_use_id")), f"Error: {result}" if is_error else result)
        elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
            tell_words()
            builder.called(_string(part.get("id")), _string(part.get("name")), part.get("input"))
        else:
            words.extend(filter(None, (_string(part.get(name)) for name in ("text", "thinking", "refusal"))))
    tell_words()


def _read_item(builder: TurnBuilder, item: Mapping[str, Any]) -> None:
    """An item of OpenAI's responses that is no message: a call, its output, or reasoning."""
    kind = _string(item.get("type"))
    id = _string(item.get("call_id") or item.get("id"))
    if kind == "reasoning":
        builder.said(content_text(item.get("summary")))
    elif kind.endswith("_call_output"):
        builder.returned(id, content_text(item.get("output")))
    elif kind.endswith("_call"):
        name = _string(item.get("name")) or kind.removesuffix("_call")
        builder.called(id, name, _first(item, "arguments", "input", "action", "queries", "code"))
        # Calls that the provider makes itself carry what came of them.
        result = _first(item, "error", "output", "results", "outputs")
        if result is not None:
            builder.returned(id, content_text(result))


def content_text(content: object) -> str:
    """Text as it is, the text of parts, or JSON."""
    if isinstance(content, (list, tuple)):
        texts = [part if isinstance(part, str) else _fields(part).get("text") for part in content]
        if texts and all(isinstance(text, str) for text in texts):
            return "\n".join(str(text) for text in texts)
        content = [part if isinstance(part, str) else _fields(part) for part in content]
    return text_of(content) or ""


def _first(fields: Mapping[str, Any], *names: str) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _fields(value: object) -> Mapping[str, Any]:
    """Of a dict, or of an object of an SDK, which are pydantic models."""
    if isinstance(value, Mapping):
        return value
    try:
        dumped = dumped_or_printed(value)
    except Exception:  # noqa: BLE001 - a message that cannot be read is skipped
        return {}
    return dumped if isinstance(dumped, Mapping) else {}


def _list(value: object) -> list[Mapping[str, Any]]:
    return [_fields(part) for part in value] if isinstance(value, (list, tuple)) else []


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
