"""The methods and types are those of the live document, and each works on the real server."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, get_type_hints

import generate
import httpx
import pytest
from conftest import Server, learn
from whetstone_client import AsyncWhetstone, Whetstone, types
from whetstone_client.operations import AsyncOperations, Operations


@pytest.fixture(scope="session")
def document(server: Server) -> Any:
    return generate.without_traces(httpx.get(f"{server.url}/openapi.json").json())


@pytest.mark.parametrize("file", ["types.py", "operations.py"])
def test_the_code_is_what_the_document_makes(document: Any, file: str) -> None:
    assert (generate.PACKAGE / file).read_text() == generate.modules(document)[file], "run generate.py"


def test_every_operation_is_a_method_with_its_parameters(document: Any) -> None:
    for path, methods in document["paths"].items():
        for operation in methods.values():
            name = generate.snake(operation["operationId"])
            sync, asynchronous = getattr(Operations, name), getattr(AsyncOperations, name)
            assert inspect.signature(sync) == inspect.signature(asynchronous)
            assert inspect.iscoroutinefunction(asynchronous) and not inspect.iscoroutinefunction(sync)
            accepted = set(inspect.signature(sync).parameters) | {"tenant_id"}
            for parameter in operation.get("parameters", []):
                assert generate.snake(parameter["name"]) in accepted, f"{path} {parameter['name']}"


def test_types_can_be_read_at_run_time() -> None:
    assert set(get_type_hints(types.Uplift)) == {"with", "without", "difference", "interval"}
    assert types.AgentTurn.__required_keys__ == {"turn", "inputs", "decision"}
    assert types.AgentTurn.__optional_keys__ == {"memory", "result"}


def test_every_operation_works(whetstone: Whetstone, document: Any) -> None:
    called: set[str] = set()

    class Told(Whetstone):
        def __getattribute__(self, name: str) -> Any:
            called.add(name)
            return super().__getattribute__(name)

    w = Told(whetstone.tenant, "sql", url=whetstone._connection.url, key=whetstone._connection.key)
    assert w.get_service_status()["status"] == "ok"
    turn: types.AgentTurn = {"turn": 1, "inputs": "Prune the roses", "decision": "prune(bed=7)", "result": "ok"}
    told = w.store_knowledge("Prune the roses", [turn], success=True, metadata={"a": 1}, idempotency_key="once")
    assert w.store_knowledge("Prune the roses", [turn], success=True, metadata={"a": 1}, idempotency_key="once") == told
    job = told["job_id"]
    record = w.get_knowledge_status(job, wait=30)
    assert record["status"] == "completed" and record["insights_stored"] > 0
    upload: types.AgentKnowledgeUpload = {"tenant_id": w.tenant, "query": "Cut the hedge", "turns": [turn]}
    batch = w.store_knowledge_batch([upload, {**upload, "query": "Cut the lawn"}], idempotency_key="batch")
    assert batch["accepted"] == 2
    for line in batch["results"]:
        assert line["status"] == "accepted"
        w.get_knowledge_status(line["job_id"], wait=30)
    answer = w.enhance_task("Prune the roses", context={"season": "winter"}, explain=True)
    assert answer["metadata"]["explanation"] and answer["metadata"]["agent_type"] == "sql"
    assert w.give_feedback(answer["metadata"]["enhancement_id"], True)["counted"] is True
    assert len(w.list_runs(success=True)["runs"]) == 1 and len(w.list_runs(limit=2)["runs"]) == 2
    assert w.get_run(job)["query"] == "Prune the roses"
    written = w.write_lesson("Prune the apple trees", "Prune on a dry day", title="Dry days", agent_type="robot")
    assert w.get_lesson(written["id"])["origin"] == "person"
    assert w.change_lesson(written["id"], state="muted", text="On a dry day in winter")["state"] == "muted"
    changed = w.change_lesson(written["id"], state="active", text=None)
    assert changed["text"] == "Prune on a dry day"
    assert [lesson["id"] for lesson in w.list_lessons(agent_type="robot")["lessons"]] == [written["id"]]
    assert w.delete_lesson(written["id"])["deleted_count"] == 1
    assert w.change_collection(review="required")["review"] == "required"
    assert any(one["tenant_id"] == w.tenant for one in w.list_collections(limit=200)["collections"])
    issued = w.issue_key(["ask", "record"], expires_in_days=1, reason="test")
    assert any(key["key_id"] == issued["key_id"] for key in w.list_keys()["keys"])
    assert w.revoke_key(issued["key_id"], reason="test")["status"] == "revoked"
    assert w.list_audit(limit=1)["entries"][0]["action"] == "key.revoked"
    assert isinstance(w.get_usage(days=1)["days"], list)
    assert w.get_uplift()["with"]["runs"] == 1
    assert w.delete_by_intent("Prune the roses", similarity_threshold=0.9, dry_run=True)["deleted_count"] > 0
    assert w.erase_collection(w.tenant, w.tenant)["status"]
    w.close()
    operations = {operation["operationId"] for methods in document["paths"].values() for operation in methods.values()}
    assert {generate.snake(operation) for operation in operations} <= called


def test_async_methods_work(whetstone: Whetstone, server: Server) -> None:
    with whetstone.run("Prune the roses") as run:
        run.turn(inputs=run.task, decision="prune(bed=7)", result="ok")
        run.succeeded = True
    learn(whetstone, run)

    async def work() -> None:
        async with AsyncWhetstone(whetstone.tenant, url=server.url, key=server.key) as client:
            [known] = (await client.list_runs())["runs"]
            assert known["job_id"] == run.job_id
            assert (await client.get_service_status())["status"] == "ok"

    asyncio.run(work())


def test_address_and_key_come_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHETSTONE_URL", f" {server.url}/ ")
    monkeypatch.setenv("WHETSTONE_KEY", f"{server.key}\n")
    with Whetstone(tenant="t") as client:
        assert client.get_service_status()["status"] == "ok"
    with pytest.raises(ValueError, match="tenant is empty"):
        Whetstone(tenant="")
