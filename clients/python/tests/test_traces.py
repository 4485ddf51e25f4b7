"""Agents whose frameworks emit OpenTelemetry traces, from nothing to a lesson. The model is scripted, everything else is real."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import pytest
from conftest import Server, wait_for
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from scripted_model import ScriptedModel, run_sql
from test_adapters import RIGHT, TASK, has_both_queries, shop_graph
from whetstone_client import Whetstone


@pytest.fixture
def tracing(server: Server, tenant: str) -> Iterator[TracerProvider]:
    """What an application sets up for its traces."""
    headers = {"x-api-key": server.key, "x-whetstone-tenant": tenant}
    exporter = OTLPSpanExporter(f"{server.url}/v1/traces", headers=headers)
    provider = TracerProvider(resource=Resource.create({"service.name": "sql"}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    yield provider
    provider.shutdown()


def learns(whetstone: Whetstone, tracing: TracerProvider, model: ScriptedModel, agent: Callable[[str], str]) -> None:
    """The first run fails at a query and recovers; its trace brings the right one to the next task."""
    with tracing.get_tracer("shop").start_as_current_span("question") as span:
        assert "Ann" in agent(TASK.format(2024))
        span.set_attribute("whetstone.success", True)
    assert tracing.force_flush()
    [known] = wait_for(lambda: whetstone.list_runs(status="completed")["runs"], 60)
    assert (known["query"], known["success"]) == (TASK.format(2024), True)
    assert has_both_queries(dict(whetstone.get_run(known["job_id"])))
    task = whetstone.enhance_task(input_text=TASK.format(2025), agent_type="sql")["response"]
    assert RIGHT.format(2025) in task
    asked = len(model.requests)
    assert "('Ann', 1), ('Bob', 2)" in agent(task)
    assert len(model.requests) - asked == 2  # the right query, then the answer


def test_pydantic_ai(whetstone: Whetstone, tracing: TracerProvider, model: ScriptedModel) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import Instrumentation
    from pydantic_ai.models.instrumented import InstrumentationSettings
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    chat = OpenAIChatModel("scripted", provider=OpenAIProvider(base_url=model.url, api_key="none"))
    settings = InstrumentationSettings(tracer_provider=tracing)
    shop = Agent(chat, name="sql", tools=[run_sql], capabilities=[Instrumentation(settings)])

    learns(whetstone, tracing, model, lambda task: str(shop.run_sync(task).output))


@pytest.fixture
def openinference(tracing: TracerProvider) -> Iterator[None]:
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=tracing)
    yield
    LangChainInstrumentor().uninstrument()


@pytest.mark.usefixtures("openinference")
def test_langgraph_by_openinference(whetstone: Whetstone, tracing: TracerProvider, model: ScriptedModel) -> None:
    graph = shop_graph(model)

    def agent(task: str) -> str:
        return str(graph.invoke({"messages": [("user", task)]})["messages"][-1].content)

    learns(whetstone, tracing, model, agent)
