"""Each framework, from nothing to a lesson that its next run gets. The model is scripted, everything else is real."""

from __future__ import annotations

import asyncio
import json
from threading import Barrier
from typing import Any, Callable, Iterator

import pytest
from conftest import Server, learn, wait_for
from scripted_model import ScriptedModel, run_sql
from whetstone_client import AsyncWhetstone, Whetstone
from whetstone_client.run import _BaseRun

TASK = "How many orders did each customer place in {}?"
RIGHT = "SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.placed_on LIKE '{}%' GROUP BY c.id"
WRONG = "SELECT customer, COUNT(*) FROM orders WHERE placed_on LIKE '2024%' GROUP BY customer"


def learns(whetstone: Whetstone, model: ScriptedModel, agent: Callable[[_BaseRun], str]) -> dict[str, Any]:
    """The first run fails at a query and recovers; the second gets the right one. Returns what is known of the first."""
    with whetstone.run(TASK.format(2024)) as run:
        assert "Ann" in agent(run)
        run.succeeded = True
    known = learn(whetstone, run)
    asked = len(model.requests)
    with whetstone.run(TASK.format(2025)) as run:
        assert RIGHT.format(2025) in run.task
        assert "('Ann', 1), ('Bob', 2)" in agent(run)
        run.succeeded = True
    assert len(model.requests) - asked == 2  # the right query, then the answer
    learn(whetstone, run)
    assert whetstone.counts.dropped == 0 and whetstone.counts.empty == 0
    return known


def actions(known: dict[str, Any]) -> list[tuple[str, str]]:
    return [(step["action"], step["outcome"]) for step in known["trail"]]


def has_both_queries(known: dict[str, Any]) -> bool:
    trail = [(action, outcome) for action, outcome in actions(known) if "SELECT" in action]
    (first, failed), (second, ok) = trail
    return WRONG in first and failed == "failed" and RIGHT.format(2024) in second and ok == "ok"


def shop_graph(model: ScriptedModel) -> Any:
    """An agent on LangGraph."""
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition

    tools = [tool(run_sql)]
    chat = ChatOpenAI(model="scripted", base_url=model.url, api_key="none").bind_tools(tools)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [chat.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def test_langgraph(whetstone: Whetstone, model: ScriptedModel) -> None:
    from whetstone_client.langchain import WhetstoneCallbackHandler

    graph = shop_graph(model)

    def agent(run: Any) -> str:
        callbacks = [WhetstoneCallbackHandler(run)]
        state = graph.invoke({"messages": [("user", run.task)]}, config={"callbacks": callbacks})
        return str(state["messages"][-1].content)

    assert has_both_queries(learns(whetstone, model, agent))


def test_langgraph_with_await_and_a_tool_that_raises(whetstone: Whetstone, server: Server) -> None:
    from langchain_core.tools import tool
    from whetstone_client.langchain import WhetstoneCallbackHandler

    @tool
    def water(bed: int) -> str:
        """Waters a bed."""
        raise ValueError(f"bed {bed} is dry rock")

    async def work() -> bytes:
        async with AsyncWhetstone(whetstone.tenant, url=server.url, key=server.key) as client:
            async with client.run("Water bed 7") as run:
                with pytest.raises(ValueError, match="dry rock"):
                    await water.ainvoke({"bed": 7}, config={"callbacks": [WhetstoneCallbackHandler(run)]})
            return run._body()

    body = asyncio.run(work())
    assert b"Error: ValueError: bed 7 is dry rock" in body and b'\\"bed\\":7' in body


def test_parallel_branches_of_langgraph_are_not_mixed_up(whetstone: Whetstone) -> None:
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from whetstone_client.langchain import WhetstoneCallbackHandler

    both_have_thought = Barrier(2, timeout=20)

    @tool
    def water(bed: str) -> str:
        """Waters a bed."""
        return f"{bed} watered"

    def branch(bed: str) -> Callable[[Any], Any]:
        call = {"name": "water", "args": {"bed": bed}, "id": f"call-{bed}"}
        model = GenericFakeChatModel(messages=iter([AIMessage(f"The {bed} are dry.", tool_calls=[call])]))

        def work(_: Any) -> Any:
            [made] = model.invoke(f"Look after the {bed}").tool_calls
            both_have_thought.wait()
            return {"messages": [water.invoke(made)]}

        return work

    graph = StateGraph(MessagesState)
    for bed in ("roses", "tulips"):
        graph.add_node(bed, branch(bed))
        graph.add_edge(START, bed)
    run = whetstone.run("Look after the garden")
    graph.compile().invoke({"messages": []}, config={"callbacks": [WhetstoneCallbackHandler(run)]})
    turns = sorted(json.loads(run._body())["turns"], key=lambda turn: str(turn["decision"]))
    assert [(turn["inputs"], turn["memory"], turn["result"]) for turn in turns] == [
        (f"Look after the {bed}", f"The {bed} are dry.", f"{bed} watered") for bed in ("roses", "tulips")
    ]


def test_langgraph_that_pauses_to_ask_a_person_has_not_failed(whetstone: Whetstone) -> None:
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Command, interrupt
    from whetstone_client.langchain import WhetstoneCallbackHandler

    @tool
    def water(bed: str) -> str:
        """Waters a bed, if a person agrees."""
        return f"{bed} watered: {interrupt('May I?')}"

    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([water]))
    graph.add_edge(START, "tools")
    compiled = graph.compile(checkpointer=InMemorySaver())
    run = whetstone.run("Water the roses")
    config: Any = {"callbacks": [WhetstoneCallbackHandler(run)], "configurable": {"thread_id": "1"}}
    call = {"name": "water", "args": {"bed": "roses"}, "id": "1"}
    compiled.invoke({"messages": [AIMessage("", tool_calls=[call])]}, config=config)
    compiled.invoke(Command(resume="yes"), config=config)
    assert [turn["result"] for turn in json.loads(run._body())["turns"]] == ["roses watered: yes"]


def test_openai_agents(whetstone: Whetstone, model: ScriptedModel) -> None:
    from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
    from openai import AsyncOpenAI
    from whetstone_client.openai_agents import WhetstoneRunHooks

    def agent(run: Any) -> str:
        # A client belongs to one event loop.
        client = AsyncOpenAI(base_url=model.url, api_key="none")
        chat = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
        shop = Agent(name="shop", model=chat, tools=[function_tool(run_sql)])
        settings = RunConfig(tracing_disabled=True)
        work = Runner.run(shop, run.task, hooks=WhetstoneRunHooks(run), run_config=settings)
        return str(asyncio.run(work).final_output)

    assert has_both_queries(learns(whetstone, model, agent))


def test_a_tool_of_openai_agents_that_ends_the_agent_is_recorded(whetstone: Whetstone, model: ScriptedModel) -> None:
    from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
    from openai import AsyncOpenAI
    from whetstone_client.openai_agents import WhetstoneRunHooks

    def run_query(query: str) -> str:
        raise ConnectionError("the shop is closed")

    client = AsyncOpenAI(base_url=model.url, api_key="none")
    chat = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
    shop = Agent(name="shop", model=chat, tools=[function_tool(run_query, failure_error_function=None)])
    with pytest.raises(Exception, match="the shop is closed"), whetstone.run(TASK.format(2024)) as run:
        hooks = WhetstoneRunHooks(run)
        asyncio.run(Runner.run(shop, run.task, hooks=hooks, run_config=RunConfig(tracing_disabled=True)))
    assert whetstone.flush(20)
    [turn] = json.loads(run._body())["turns"]
    assert WRONG in turn["decision"] and "the shop is closed" in turn["result"]


def test_smolagents(whetstone: Whetstone, model: ScriptedModel) -> None:
    from smolagents import LogLevel, OpenAIServerModel, ToolCallingAgent, tool
    from whetstone_client.smolagents import step_callback

    @tool
    def query_shop(query: str) -> str:
        """Runs a query on the shop's database and returns its rows.

        Args:
            query: in SQL
        """
        return run_sql(query)

    chat = OpenAIServerModel(model_id="scripted", api_base=model.url, api_key="none")

    def agent(run: Any) -> str:
        callbacks = [step_callback(run)]
        shop = ToolCallingAgent([query_shop], chat, step_callbacks=callbacks, verbosity_level=LogLevel.OFF)
        return str(shop.run(run.task))

    assert has_both_queries(learns(whetstone, model, agent))


def test_a_tool_of_smolagents_that_raises_is_recorded_with_its_call_and_so_is_the_answer(whetstone: Whetstone) -> None:
    from smolagents import LogLevel, Model, ToolCallingAgent, tool
    from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole
    from whetstone_client.smolagents import step_callback

    @tool
    def water(bed: int) -> str:
        """Waters a bed.

        Args:
            bed: its number
        """
        raise ValueError(f"bed {bed} is dry rock")

    class Scripted(Model):
        calls = [("final_answer", {"answer": {"watered": 0}}), ("water", {"bed": 7})]

        def generate(self, *_: Any, **__: Any) -> ChatMessage:
            name, arguments = self.calls.pop()
            function = ChatMessageToolCallFunction(name=name, arguments=arguments)
            call = ChatMessageToolCall(id="1", type="function", function=function)
            return ChatMessage(role=MessageRole.ASSISTANT, content="I try.", tool_calls=[call])

    run = whetstone.run("Water bed 7")
    callbacks = [step_callback(run)]
    ToolCallingAgent([water], Scripted(), step_callbacks=callbacks, verbosity_level=LogLevel.OFF).run("Water bed 7")
    failed, answer = json.loads(run._body())["turns"]
    assert failed["decision"] == '{"name":"water","arguments":{"bed":7}}' and "dry rock" in failed["result"]
    assert failed["memory"] == "I try." and answer["decision"] == "{'watered': 0}" and "result" not in answer


@pytest.mark.parametrize("value", [None, 7, 2.5, {"rows": [1, None]}, [True], "text"])
def test_steps_of_smolagents_may_return_anything(whetstone: Whetstone, value: object) -> None:
    from smolagents.memory import ActionStep, ToolCall
    from smolagents.monitoring import Timing
    from whetstone_client.smolagents import step_callback

    run = whetstone.run("Count the plants")
    record = step_callback(run)
    calls = [ToolCall(name="count", arguments=value, id="1")]
    record(ActionStep(step_number=1, timing=Timing(0), tool_calls=calls, action_output=value))
    record(ActionStep(step_number=2, timing=Timing(0), model_output=None, is_final_answer=True, action_output=value))
    run.end()
    assert whetstone.flush(20) and run.job_id is not None


@pytest.fixture
def litellm_logger(whetstone: Whetstone) -> Iterator[Any]:
    import litellm
    from whetstone_client.litellm import WhetstoneLogger

    litellm.callbacks = [WhetstoneLogger(whetstone)]
    yield litellm
    litellm.callbacks = []
    for known in (litellm.success_callback, litellm.failure_callback, litellm.input_callback):
        known.clear()
    for known in (litellm._async_success_callback, litellm._async_failure_callback):
        known.clear()


SQL_TOOL = {
    "type": "function",
    "function": {
        "name": "run_sql",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}


def plain_agent(litellm: Any, model: ScriptedModel, task: str) -> str:
    """Knows nothing of Whetstone."""
    messages: list[Any] = [{"role": "system", "content": "You know SQL"}, {"role": "user", "content": task}]
    while True:
        settings = {"model": "openai/scripted", "api_base": model.url, "api_key": "none"}
        answer = litellm.completion(messages=messages, tools=[SQL_TOOL], **settings).choices[0].message
        messages.append(answer)
        for call in answer.tool_calls or []:
            rows = run_sql(json.loads(call.function.arguments)["query"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": rows})
        if not answer.tool_calls:
            return str(answer.content)


def test_litellm(whetstone: Whetstone, model: ScriptedModel, litellm_logger: Any) -> None:
    known = learns(whetstone, model, lambda run: plain_agent(litellm_logger, model, run.task))
    assert has_both_queries(known)


def test_litellm_with_await(whetstone: Whetstone, server: Server, model: ScriptedModel, litellm_logger: Any) -> None:
    async def work() -> Any:
        async with AsyncWhetstone(whetstone.tenant, url=server.url, key=server.key, advice_timeout=20) as client:
            async with client.run(TASK.format(2024)) as run:
                await litellm_logger.acompletion(
                    model="openai/scripted",
                    api_base=model.url,
                    api_key="none",
                    messages=[{"role": "user", "content": run.task}],
                    tools=[SQL_TOOL],
                )
                run.succeeded = False
            assert await client.flush(20)
            return run

    assert WRONG.encode() in asyncio.run(work())._body()


def test_litellm_outside_of_a_run(whetstone: Whetstone, model: ScriptedModel, litellm_logger: Any) -> None:
    plain_agent(litellm_logger, model, TASK.format(2024))
    [known] = wait_for(lambda: whetstone.list_runs(status="completed")["runs"])
    assert known["query"] == TASK.format(2024) and known["success"] is None
    assert has_both_queries(dict(whetstone.get_run(known["job_id"])))
