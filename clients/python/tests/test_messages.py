from __future__ import annotations

import json
from typing import Any

import pytest
from whetstone_client import turns_from_messages
from whetstone_client.recorded_turns import CLOSING_LINE, OPENING_LINE, without_advice

ADVICE = f"{OPENING_LINE}\n1. [what worked · 1 run] Water in the morning.\n{CLOSING_LINE}"
TASK = "Water the plants"


def call(id: str, name: str, **arguments: object) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


CHAT = [
    {"role": "system", "content": "You are a gardener"},
    {"role": "user", "content": f"{TASK}\n\n{ADVICE}"},
    {"role": "assistant", "content": "I look first", "tool_calls": [call("1", "look", bed=7), call("2", "look", bed=8)]},
    {"role": "tool", "tool_call_id": "2", "content": "wet"},
    {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "dry"}]},
    {"role": "assistant", "content": None, "tool_calls": [call("3", "water", bed=7)]},
    {"role": "tool", "tool_call_id": "3", "content": "ok"},
    {"role": "assistant", "content": "Bed 7 has water"},
]
RESPONSES = [
    {"role": "user", "content": [{"type": "input_text", "text": f"{TASK}\n\n{ADVICE}"}]},
    {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "I look first"}]},
    {"type": "function_call", "call_id": "1", "name": "look", "arguments": '{"bed": 7}'},
    {"type": "function_call", "call_id": "2", "name": "look", "arguments": '{"bed": 8}'},
    {"type": "function_call_output", "call_id": "2", "output": "wet"},
    {"type": "function_call_output", "call_id": "1", "output": "dry"},
    {"type": "function_call", "call_id": "3", "name": "water", "arguments": '{"bed": 7}'},
    {"type": "function_call_output", "call_id": "3", "output": "ok"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Bed 7 has water"}]},
]
ANTHROPIC = [
    {"role": "user", "content": f"{TASK}\n\n{ADVICE}"},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I look first"},
            {"type": "tool_use", "id": "1", "name": "look", "input": {"bed": 7}},
            {"type": "tool_use", "id": "2", "name": "look", "input": {"bed": 8}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "2", "content": "wet"},
            {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "dry"}]},
        ],
    },
    {"role": "assistant", "content": [{"type": "tool_use", "id": "3", "name": "water", "input": {"bed": 7}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "3", "content": "ok"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Bed 7 has water"}]},
]


@pytest.mark.parametrize("messages", [CHAT, RESPONSES, ANTHROPIC], ids=["chat", "responses", "anthropic"])
def test_the_same_conversation_becomes_the_same_turns(messages: list[Any]) -> None:
    look = '{"name":"look","arguments":{"bed":%d}}'
    assert turns_from_messages(messages) == [
        {"turn": 1, "inputs": TASK, "decision": look % 7, "result": "dry", "memory": "I look first"},
        {"turn": 2, "inputs": TASK, "decision": look % 8, "result": "wet"},
        {"turn": 3, "inputs": "wet\ndry", "decision": '{"name":"water","arguments":{"bed":7}}', "result": "ok"},
        {"turn": 4, "inputs": "ok", "decision": "Bed 7 has water"},
    ]


def test_the_objects_of_the_openai_sdk_are_read_like_dicts() -> None:
    from openai.types.chat import ChatCompletionMessage

    message = ChatCompletionMessage.model_validate(CHAT[5] | {"refusal": None})
    assert turns_from_messages([message, CHAT[6]])[0]["decision"] == '{"name":"water","arguments":{"bed":7}}'


def test_words_without_a_call_are_answered_by_what_is_said_next() -> None:
    dialogue = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Which bed?"},
        {"role": "user", "content": "7"},
        {"role": "assistant", "content": "Done"},
    ]
    assert turns_from_messages(dialogue) == [
        {"turn": 1, "inputs": "Hello", "decision": "Which bed?", "result": "7"},
        {"turn": 2, "inputs": "7", "decision": "Done"},
    ]


def test_errors_of_tools_are_told_as_errors() -> None:
    failed = {"type": "tool_result", "tool_use_id": "3", "content": "no water", "is_error": True}
    turns = turns_from_messages([*ANTHROPIC[:4], {"role": "user", "content": [failed]}])
    assert turns[-1].get("result") == "Error: no water"


@pytest.mark.parametrize(
    "messages",
    [[], [None, 7, "text", {}], [{"role": "user"}], [{"role": "assistant", "tool_calls": [None, {"id": 1}]}], [{"type": 7}]],
)
def test_what_is_unknown_is_skipped(messages: list[Any]) -> None:
    assert turns_from_messages(messages) == []


def test_advice_is_taken_out_wherever_it_stands() -> None:
    assert without_advice(f"{TASK}\n\n{ADVICE}") == TASK
    assert without_advice(f"{ADVICE}\nmore\n{ADVICE}") == "\nmore"
    assert without_advice(json.dumps({"task": f"{TASK}\n\n{ADVICE}"}, ensure_ascii=False)) == json.dumps({"task": TASK})
    assert without_advice(OPENING_LINE) == OPENING_LINE
    assert without_advice("plain  \n") == "plain  \n"
