"""An agent of the OpenAI Agents SDK that learns: the second question of a kind is answered on the first try."""

import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for scripted_model

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from scripted_model import ScriptedModel, run_sql
from whetstone_client import AsyncWhetstone
from whetstone_client.openai_agents import WhetstoneRunHooks

set_tracing_disabled(True)  # traces would go to OpenAI


async def main(url: str) -> None:
    model = OpenAIChatCompletionsModel(model="scripted", openai_client=AsyncOpenAI(base_url=url, api_key="none"))
    agent = Agent(name="shop", model=model, tools=[function_tool(run_sql)])
    tenant = os.environ.get("WHETSTONE_TENANT", "example-openai-agents")
    async with AsyncWhetstone(tenant, agent_type="sql") as whetstone:
        for year in (2024, 2025):
            async with whetstone.run(f"How many orders did each customer place in {year}?") as run:
                answer = await Runner.run(agent, run.task, hooks=WhetstoneRunHooks(run))
                run.succeeded = "Ann" in answer.final_output
            calls = sum(item.type == "tool_call_item" for item in answer.new_items)
            print(f"\n{run.task}\n=> {answer.final_output}\n   {calls} queries, {len(run.recommendations)} recommendations")
            await whetstone.flush()
            if run.job_id:
                await whetstone.get_knowledge_status(run.job_id, wait=20)  # only because this example asks again at once


with ScriptedModel() as model:
    asyncio.run(main(model.url))
