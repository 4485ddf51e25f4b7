"""A LangGraph agent that learns: the second question of a kind is answered on the first try."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for scripted_model

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.graph import START, MessagesState, StateGraph
from scripted_model import ScriptedModel, run_sql
from whetstone_client import Whetstone
from whetstone_client.langchain import WhetstoneCallbackHandler


def build_agent(url: str):
    tools = [tool(run_sql)]
    model = ChatOpenAI(model="scripted", base_url=url, api_key="none").bind_tools(tools)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


with ScriptedModel() as model, Whetstone(tenant=os.environ.get("WHETSTONE_TENANT", "example-langgraph"), agent_type="sql") as whetstone:
    agent = build_agent(model.url)
    for year in (2024, 2025):
        with whetstone.run(f"How many orders did each customer place in {year}?") as run:
            callbacks = [WhetstoneCallbackHandler(run)]
            answer = agent.invoke({"messages": [("user", run.task)]}, config={"callbacks": callbacks})
            run.succeeded = "Ann" in answer["messages"][-1].content
        calls = sum(message.type == "tool" for message in answer["messages"])
        print(f"\n{run.task}\n=> {answer['messages'][-1].content}\n   {calls} queries, {len(run.recommendations)} recommendations")
        whetstone.flush()
        if run.job_id:
            whetstone.get_knowledge_status(run.job_id, wait=20)  # only because this example asks again at once
