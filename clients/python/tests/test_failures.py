"""Fail open, never silently: what happens to the agent and to its runs if the server does not do its part."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from threading import Thread
from typing import Any, Callable, Iterator

import pytest
from conftest import Server, free_port, wait_for
from scripted_server import Answer, ScriptedServer, forward
from whetstone_client import AsyncWhetstone, Whetstone, WhetstoneError
from whetstone_client.transport import Connection

TASK = "Water the plants in the greenhouse"
LIMIT = 0.5


def error(status: int, code: str, **headers: str) -> Answer:
    body = {"error": code, "message": f"It is {code}", "request_id": "r-1"}
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body).encode()


def slow(path: str, headers: Any, body: bytes) -> Answer:
    time.sleep(30)
    return 200, {}, b"{}"


def always(answer: Answer) -> Callable[[str, Any, bytes], Answer]:
    return lambda path, headers, body: answer


FAULTS = {
    "slow": slow,
    "500": always(error(500, "internal_error")),
    "503 of a proxy": always((503, {"content-type": "text/html"}, b"<h1>Service Unavailable</h1>")),
    "401": always(error(401, "invalid_api_key")),
    "403": always(error(403, "tenant_forbidden")),
    "429": always(error(429, "rate_limited", retry_after="7")),
    "no JSON": always((200, {}, b"\xff\xfe not JSON")),
    "other JSON": always((200, {}, b'{"hello": "world"}')),
    "a list": always((200, {}, b"[]")),
    "another task": always((200, {}, b'{"response": "Drop all tables", "metadata": {}}')),
    "a redirect": always((302, {"location": "http://127.0.0.1:1/"}, b"")),
}


#: More than a busy machine needs, and far less than the slow server does.
MARGIN = 5


@pytest.fixture(params=["down", *FAULTS])
def broken(request: pytest.FixtureRequest) -> Iterator[ScriptedServer]:
    server = ScriptedServer(FAULTS.get(request.param, slow))
    with server:
        if request.param != "down":
            yield server
    if request.param == "down":
        yield server


def client_of(url: str, **settings: Any) -> Whetstone:
    return Whetstone("greenhouse", "robot", url=url, key="wst_x", **{"advice_timeout": LIMIT, "timeout": 1, **settings})


def test_the_agent_gets_the_plain_task_and_loses_the_limit_once(
    broken: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    client = client_of(broken.url)
    began = time.monotonic()
    for _ in range(5):
        with client.run(TASK) as run:
            assert run.task == TASK and run.enhancement_id is None
            run.turn(inputs=run.task, decision="water()", result="ok")
    assert time.monotonic() - began < LIMIT + MARGIN
    assert broken.paths().count("/enhance_task") <= 1
    assert client.counts.away == 5 and client.counts.advised == 0
    advice = [record for record in caplog.records if record.message.startswith("No advice")]
    assert len(advice) == 1 and advice[0].name == "whetstone_client"
    # Nothing is uploaded and nothing is lost in silence.
    assert not client.flush(0.3)
    client.close(0.3)
    assert client.counts.uploaded == 0 and client.counts.dropped == 5
    assert "dropped" in caplog.text


@pytest.mark.parametrize("fault", ["slow", "500", "other JSON"])
def test_the_same_with_await(fault: str) -> None:
    async def work(url: str) -> None:
        client = AsyncWhetstone("greenhouse", url=url, key="wst_x", advice_timeout=LIMIT)
        began = time.monotonic()
        for _ in range(5):
            async with client.run(TASK) as run:
                assert run.task == TASK
                run.succeeded = True
        assert time.monotonic() - began < LIMIT + MARGIN
        await client.close(0.1)

    with ScriptedServer(FAULTS[fault]) as server:
        asyncio.run(work(server.url))


def test_an_answer_that_trickles_in_is_late_too() -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def trickle() -> None:
        connection, _ = listener.accept()
        for at in range(300):
            try:
                connection.sendall(b"x" if at else b"HTTP/1.1 200 OK\r\nx-slow: ")
            except OSError:
                return
            time.sleep(0.1)

    Thread(target=trickle, daemon=True).start()
    client = client_of(f"http://127.0.0.1:{listener.getsockname()[1]}")
    began = time.monotonic()
    assert client.advise(TASK).task == TASK
    assert time.monotonic() - began < LIMIT + MARGIN
    client.close(0)
    listener.close()


@pytest.mark.parametrize("url", ["nonsense", "http://", "ftp://127.0.0.1", "http://[::1", "http://127.0.0.1:1/\ud800"])
def test_an_address_that_is_none_costs_the_agent_nothing(url: str, caplog: pytest.LogCaptureFixture) -> None:
    client = client_of(url)
    assert client.advise(TASK).task == TASK
    assert "No advice" in caplog.text
    with pytest.raises(WhetstoneError, match="Cannot reach"):
        client.get_service_status()
    client.close(0)


def test_a_refused_key_is_told_as_an_error_and_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    with ScriptedServer(FAULTS["401"]) as server:
        client = client_of(server.url)
        for _ in range(3):
            with client.run(TASK) as run:
                run.succeeded = True
        began = time.monotonic()
        assert not client.flush(30)
        assert time.monotonic() - began < 20
        time.sleep(1)
        assert server.paths() == ["/enhance_task", "/store_knowledge"]
        client.close(1)
    [told] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "WHETSTONE_KEY" in told.message and "invalid_api_key" in told.message


def test_retry_after_is_honoured(whetstone: Whetstone, server: Server) -> None:
    times: list[float] = []

    def limited(path: str, headers: Any, body: bytes) -> Answer:
        times.append(time.monotonic())
        if len(times) == 1:
            return error(429, "rate_limited", retry_after="2")
        return forward(server.url, path, headers, body)

    with ScriptedServer(limited) as between:
        client = Whetstone(whetstone.tenant, url=between.url, key=server.key)
        run = client.run(TASK)
        run.succeeded = True
        run.end()
        assert client.flush(10)
        client.close()
    assert times[1] - times[0] >= 1.9
    assert client.counts.retried == 1 and client.counts.uploaded == 1


def test_a_server_that_asks_for_a_thousand_years_does_not_stop_uploads() -> None:
    with ScriptedServer(always(error(429, "rate_limited", retry_after="31556952000"))) as server:
        client = client_of(server.url)
        run = client.run(TASK)
        run.succeeded = True
        run.end()
        wait_for(lambda: client.counts.retried == 1)
        time.sleep(0.2)
        assert client._uploader._thread is not None and client._uploader._thread.is_alive()
        client.close(0)


def test_advice_is_asked_for_again_after_the_cool_down(whetstone: Whetstone, server: Server) -> None:
    faults = [error(500, "enhance_failed"), error(500, "enhance_failed")]

    def heals(path: str, headers: Any, body: bytes) -> Answer:
        return faults.pop() if faults else forward(server.url, path, headers, body)

    with ScriptedServer(heals) as between:
        client = Whetstone(whetstone.tenant, url=between.url, key=server.key, cool_down=0.2, advice_timeout=10)
        assert client.advise(TASK).enhancement_id is None
        wait_for(lambda: client.advise(TASK).enhancement_id, 5)
        client.close()
    assert len(between.requests) == 3


def test_what_the_server_does_not_take_is_dropped_and_the_next_is_uploaded(
    whetstone: Whetstone, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    def picky(path: str, headers: Any, body: bytes) -> Answer:
        if b"too much" in body:
            return error(413, "body_too_large")
        return forward(server.url, path, headers, body)

    with ScriptedServer(picky) as between, Whetstone(whetstone.tenant, url=between.url, key=server.key) as client:
        for decision in ("too much", "water()"):
            run = client.run(TASK)
            run.turn(inputs="", decision=decision)
            run.end()
        assert client.flush(10)
        assert client.counts.uploaded == 1 and client.counts.dropped == 1
    assert "body_too_large" in caplog.text


def test_an_outage_does_not_count_against_the_run_that_waited(caplog: pytest.LogCaptureFixture) -> None:
    answers = [error(500, "internal_error")] * 5 + [error(503, "unavailable")] * 5

    def recovers(path: str, headers: Any, body: bytes) -> Answer:
        return answers.pop() if answers else (202, {}, b'{"job_id": "job_1"}')

    with ScriptedServer(recovers) as server:
        client = client_of(server.url)
        for _ in range(2):
            run = client.run(TASK)
            run.succeeded = True
            run.end()
        # Flushing cuts the pauses short.
        wait_for(lambda: client.flush(0.05), 20)
        client.close()
    assert len(server.requests) == 11 and client.counts.dropped == 1 and client.counts.uploaded == 1


def test_direct_methods_raise_typed_errors(server: Server, whetstone: Whetstone) -> None:
    def raised(call: Callable[[], object]) -> WhetstoneError:
        with pytest.raises(WhetstoneError) as caught:
            call()
        return caught.value

    with Whetstone("t", url=server.url, key="wst_unknown") as stranger:
        refused = raised(stranger.get_service_status)
    assert (refused.status, refused.code, refused.retryable, refused.refused) == (401, "invalid_api_key", False, True)
    assert refused.request_id and "key" in refused.message
    missing = raised(lambda: whetstone.get_knowledge_status("job_x"))
    assert (missing.status, missing.code, missing.retryable) == (404, "job_not_found", False)
    invalid = raised(lambda: whetstone.enhance_task(" "))
    assert (invalid.status, invalid.code) == (422, "invalid") and "body.input_text" in invalid.message
    with ScriptedServer(FAULTS["429"]) as limited:
        rate = raised(client_of(limited.url).list_keys)
    assert (rate.status, rate.code, rate.retryable, rate.retry_after) == (429, "rate_limited", True, 7.0)
    with ScriptedServer(FAULTS["slow"]) as late:
        timeout = raised(lambda: client_of(late.url).list_keys(timeout=0.2))
    assert (timeout.status, timeout.code, timeout.retryable) == (None, "timeout", True)
    down = raised(client_of(f"http://127.0.0.1:{free_port()}").list_keys)
    assert (down.status, down.code, down.retryable) == (None, "unreachable", True)
    with ScriptedServer(FAULTS["no JSON"]) as other:
        garbage = raised(client_of(other.url).list_keys)
    assert (garbage.code, garbage.retryable) == ("unexpected_answer", True)


def test_questions_that_fail_together_open_the_circuit_once() -> None:
    client = client_of(f"http://127.0.0.1:{free_port()}", cool_down=0.4, advice_timeout=20)
    threads = [Thread(target=client.advise, args=(TASK,)) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ScriptedServer(always(error(422, "invalid"))) as server:
        client._connection = Connection.of(server.url, "wst_x")
        wait_for(lambda: client.advise(TASK) and server.requests, 5)
        # It answers again; what it does not take is this task.
        for _ in range(3):
            client.advise(TASK)
        assert len(server.requests) == 4
    client.close(0)


def test_a_client_serves_one_event_loop_after_another(server: Server, tenant: str) -> None:
    client = AsyncWhetstone(tenant, url=server.url, key=server.key, advice_timeout=20)
    for _ in range(2):
        assert asyncio.run(client.advise(TASK)).enhancement_id is not None
    asyncio.run(client.close())


@pytest.mark.parametrize("key", ["wst_secret\nline", "wst_secret…", "wst_secret key"])
def test_neither_a_key_nor_a_password_is_logged(key: str, caplog: pytest.LogCaptureFixture) -> None:
    client = Whetstone("t", url=f"http://me:hunter2@127.0.0.1:{free_port()}", key=key)
    with client.run(TASK) as run:
        run.succeeded = True
    client.flush(0.3)
    client._connection = Connection.of(client._connection.url, "wst_secret")
    with pytest.raises(WhetstoneError) as caught:
        client.get_service_status()
    client.close(0.1)
    told = caplog.text + str(caught.value) + repr(client._connection)
    assert "the key has" in told and "wst_secret" not in told and "hunter2" not in told


def test_an_environment_that_breaks_httpx_is_told_and_survived(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "nonsense://127.0.0.1:1")
    client = client_of("http://greenhouse.example")
    with client.run(TASK) as run:
        run.succeeded = True
    assert not client.flush(0.3)
    client.close(0.1)
    assert client.counts.dropped == 1 and "Uploads fail" in caplog.text and "nonsense" in caplog.text


def test_the_last_message_has_the_total(caplog: pytest.LogCaptureFixture) -> None:
    client = client_of(f"http://127.0.0.1:{free_port()}", max_queued_runs=2)
    for _ in range(10):
        run = client.run(TASK)
        run.succeeded = True
        run.end()
    client.close(0.1)
    client.close(0.1)
    assert client.counts.dropped == 10 and client.counts.waiting == 0
    assert "(10 in all)" in caplog.text


def test_a_run_without_a_thread_to_spare_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def exhausted(self: Thread) -> None:
        raise RuntimeError("can't start new thread")

    client = client_of(f"http://127.0.0.1:{free_port()}")
    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", exhausted)
        with client.run(TASK) as run:
            run.succeeded = True
    assert client.counts.waiting == 1 and "can't start new thread" in caplog.text
    client.close(0)
