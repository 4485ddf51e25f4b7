"""What an agent gets from `with whetstone.run(…)`, on the real server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Server, learn
from whetstone_client import AsyncWhetstone, Whetstone
from whetstone_client.recorded_turns import OPENING_LINE
from whetstone_client.run import live_run

TASK = "How many orders did each customer place in {}?"
GOOD = "SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.placed_on LIKE '{}%' GROUP BY c.id"


def act(run: Any, year: int) -> None:
    run.turn(inputs=run.task, decision=f"SELECT customer FROM orders WHERE year = {year}", result="Error: no such column: year")
    run.turn(inputs="Error: no such column: year", decision=GOOD.format(year), result="[('Ann', 2)]")
    run.succeeded = True


def test_a_run_is_uploaded_and_its_lesson_comes_back_at_the_next_task(whetstone: Whetstone) -> None:
    with whetstone.run(TASK.format(2024)) as run:
        assert run.task == TASK.format(2024)
        act(run, 2024)
    known = learn(whetstone, run)
    assert known["success"] is True and known["query"] == TASK.format(2024) and known["agent_type"] == "sql"

    with whetstone.run(TASK.format(2025)) as run:
        assert run.task.startswith(TASK.format(2025)) and GOOD.format(2025) in run.task
        assert run.recommendations[0]["kind"] == "strategy"
        act(run, 2025)
    # Its own advice is not what the agent saw or did.
    assert OPENING_LINE.encode() not in run._body()
    learn(whetstone, run)

    # The outcome of the run that was advised counts: the enhancement was cited.
    assert sum(lesson["helped"] for lesson in whetstone.list_lessons()["lessons"]) == 1
    assert whetstone.counts.uploaded == 2 and whetstone.counts.advised == 2 and whetstone.counts.dropped == 0


def test_the_same_with_await(server: Server, tenant: str) -> None:
    async def work() -> None:
        async with AsyncWhetstone(tenant, "sql", url=server.url, key=server.key, advice_timeout=20) as whetstone:
            async with whetstone.run(TASK.format(2024)) as run:
                act(run, 2024)
            assert await whetstone.flush(20)
            assert run.job_id is not None
            assert (await whetstone.get_knowledge_status(run.job_id, wait=30))["status"] == "completed"
            async with whetstone.run(TASK.format(2025)) as run:
                assert GOOD.format(2025) in run.task
                act(run, 2025)

    asyncio.run(work())


def test_a_block_that_raises_is_uploaded_as_failed_and_the_error_propagates(whetstone: Whetstone) -> None:
    with pytest.raises(ZeroDivisionError), whetstone.run("Divide the shares among all owners") as run:
        run.turn(inputs=run.task, decision="divide(shares, owners)", result="Error: division by zero")
        run.succeeded = True
        1 / 0  # noqa: B018
    known = learn(whetstone, run)
    assert known["success"] is False
    assert run.metadata["error"] == "ZeroDivisionError: division by zero"


def test_an_interrupted_run_has_neither_failed_nor_succeeded(whetstone: Whetstone) -> None:
    with pytest.raises(KeyboardInterrupt), whetstone.run("Count the stars above the house") as run:
        run.turn(inputs=run.task, decision="count(stars)", result="1")
        raise KeyboardInterrupt
    assert learn(whetstone, run)["success"] is None


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "value", [None, 7, 2.5, float("nan"), True, {"a": [1, None]}, [1], b"bytes", {1, 2}, "\ud800 half", "\x00", Unprintable()]
)
def test_any_value_can_be_recorded(whetstone: Whetstone, value: object) -> None:
    with whetstone.run("Record anything that a framework hands over", metadata={"value": value}) as run:
        run.turn(inputs=value, decision=value, result=value, memory=value)
    assert whetstone.flush(20)
    assert run.job_id is not None and whetstone.counts.dropped == 0


def test_a_run_with_nothing_in_it_is_not_uploaded_but_told(
    whetstone: Whetstone, caplog: pytest.LogCaptureFixture
) -> None:
    with whetstone.run("Do nothing at all"):
        pass
    assert whetstone.flush() and whetstone.counts.uploaded == 0 and whetstone.counts.empty == 1
    assert "neither turns nor an outcome" in caplog.text


def test_a_blank_task_and_a_huge_one_pass_unchanged(whetstone: Whetstone) -> None:
    huge = "Sort all of these names 🙂 " * 40_000
    for task in ("", "  ", huge):
        with whetstone.run(task) as run:
            assert run.task == task
            run.turn(inputs=task, decision="sort", result="sorted")
    assert whetstone.flush(20)
    assert whetstone.counts.uploaded == 3 and whetstone.counts.dropped == 0
    # A task that the server does not take does not keep others from being asked.
    assert whetstone.advise("Sort the names").enhancement_id is not None


def test_an_error_that_does_not_print_propagates(whetstone: Whetstone) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no")

    with pytest.raises(Mute), whetstone.run("Say what went wrong") as run:
        raise Mute
    assert run.metadata["error"] == "Mute: <Mute>" and run.succeeded is False


def test_after_a_nested_run_the_outer_one_is_current_again(whetstone: Whetstone) -> None:
    with whetstone.run("Tend the garden") as outer:
        with whetstone.run("Water the beds") as inner:
            assert live_run() is inner
        assert live_run() is outer
    assert live_run() is None


def test_a_turn_after_the_end_is_told(whetstone: Whetstone, caplog: pytest.LogCaptureFixture) -> None:
    with whetstone.run("Water the beds") as run:
        run.succeeded = True
    run.turn(inputs="", decision="water()")
    assert "after its run had ended" in caplog.text


class Broken:
    def model_dump(self) -> object:
        raise RuntimeError("no")


@pytest.mark.parametrize("messages", [None, 7, [None], [Broken()], [{"role": "user", "content": [{"text": 5}]}]])
def test_messages_of_any_kind_break_no_agent(whetstone: Whetstone, messages: Any) -> None:
    run = whetstone.run("Read what a framework hands over")
    run.messages(messages)
    run.messages([{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}])
    assert b"hello" in run._body()


def test_a_long_task_in_any_script_gets_advice(whetstone: Whetstone) -> None:
    for letter in "水🙂":
        assert whetstone.advise(letter * 60_000).enhancement_id is not None
