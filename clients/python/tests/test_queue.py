"""Uploads wait in memory or in a folder, within bounds, and none is made twice."""

from __future__ import annotations

import os
import signal
import ssl
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from conftest import Server, free_port, wait_for
from scripted_server import Answer, ScriptedServer, forward
from whetstone_client import Whetstone, transport
from whetstone_client.queues import Entry, FolderQueue
from whetstone_client.telling import Teller

#: An agent in a process of its own: uploads one run, from a folder.
AGENT = """
import sys
from whetstone_client import Whetstone
url, key, tenant, folder, task = sys.argv[1:]
client = Whetstone(tenant, url=url, key=key, queue_folder=folder, exit_timeout=float("{exit_timeout}"))
if task:
    run = client.run(task)
    run.turn(inputs=task, decision="water()", result="ok")
    run.succeeded = True
    run.end()
print("recorded", flush=True)
{then}
"""


def start(server_url: str, key: str, tenant: str, folder: Path, task: str, exit_timeout: float = 20, then: str = "") -> Any:
    program = AGENT.format(exit_timeout=exit_timeout, then=then)
    command = [sys.executable, "-c", program, server_url, key, tenant, str(folder), task]
    source = str(Path(__file__).parents[1] / "src")
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def test_a_process_killed_in_an_upload_is_continued_by_the_next_and_the_run_is_there_once(
    whetstone: Whetstone, server: Server, tmp_path: Path
) -> None:
    accepted, keys = Event(), []

    def withholds(path: str, headers: Any, body: bytes) -> Answer:
        answer = forward(server.url, path, headers, body)
        keys.append(headers["idempotency-key"])
        if len(keys) == 1:
            accepted.set()  # The server has it, the client does not know.
            time.sleep(30)
        return answer

    with ScriptedServer(withholds) as between:
        first = start(between.url, server.key, whetstone.tenant, tmp_path, "Water the plants")
        assert accepted.wait(20)
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
        assert len(files_in(tmp_path)) == 1
        second = start(between.url, server.key, whetstone.tenant, tmp_path, "")
        out, err = second.communicate(timeout=30)
        assert second.returncode == 0, err
    assert files_in(tmp_path) == [] and len(keys) == 2 and len(set(keys)) == 1
    runs = wait_for(lambda: whetstone.list_runs(status="completed")["runs"])
    assert len(runs) == 1 and runs[0]["query"] == "Water the plants"


def test_a_process_that_ends_uploads_before_it_does(whetstone: Whetstone, server: Server, tmp_path: Path) -> None:
    process = start(server.url, server.key, whetstone.tenant, tmp_path, "Water the plants")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0 and err == b""
    assert len(wait_for(lambda: whetstone.list_runs(status="completed")["runs"])) == 1


@pytest.mark.parametrize("then", ["", "raise SystemExit(3)"])
def test_a_process_ends_in_time_without_a_server(tmp_path: Path, then: str) -> None:
    began = time.monotonic()
    process = start(f"http://127.0.0.1:{free_port()}", "wst_x", "t", tmp_path, "Water the plants", 60, then)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 30
    assert process.returncode == (3 if then else 0)
    assert b"left in the queue's folder" in err and len(files_in(tmp_path)) == 1


def test_processes_share_a_folder(whetstone: Whetstone, server: Server, tmp_path: Path) -> None:
    tasks = [f"Water bed number {number}" for number in range(4)]
    processes = [start(server.url, server.key, whetstone.tenant, tmp_path, task) for task in tasks]
    for process in processes:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0 and err == b""
    assert files_in(tmp_path) == []

    def completed() -> Any:
        runs = whetstone.list_runs(status="completed")["runs"]
        return len(runs) == 4 and runs

    assert sorted(run["query"] for run in wait_for(completed)) == tasks


def test_the_folder_is_for_its_owner_and_holds_no_key(tmp_path: Path) -> None:
    folder = tmp_path / "queue"
    client = Whetstone("t", url=f"http://127.0.0.1:{free_port()}", key="wst_secret", queue_folder=folder)
    run = client.run("Water the plants")
    run.succeeded = True
    run.end()
    [file] = files_in(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert b"wst_secret" not in file.read_bytes() and "wst_secret" not in repr(client._connection)
    client.close(0)


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_a_full_queue_drops_the_oldest_and_says_so(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = {"queue_folder": tmp_path} if kind == "folder" else {}
    client = Whetstone("t", url=f"http://127.0.0.1:{free_port()}", max_queued_runs=3, **folder)  # type: ignore[arg-type]
    for number in range(10):
        run = client.run(f"Task {number}")
        run.succeeded = True
        run.end()
    assert client.counts.waiting == 3 and client.counts.dropped == 7
    assert caplog.text.count("the queue is full") == 1
    if kind == "folder":
        assert b"Task 9" in files_in(tmp_path)[-1].read_bytes() and b"Task 7" in files_in(tmp_path)[0].read_bytes()
    client.close(0)


def test_a_queue_is_bounded_by_its_bytes_too(tmp_path: Path) -> None:
    queue = FolderQueue(tmp_path, 100, 100, Teller())
    assert [len(queue.add(b"x" * 40)[1]) for _ in range(4)] == [0, 0, 1, 1]
    assert len(queue) == 2


def test_a_file_that_is_none_of_ours_or_damaged_does_not_hold_up_the_others(
    whetstone: Whetstone, server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / f"{0:020d}-{'0' * 32}.json").write_text('{"tenant_id": "cut')
    with Whetstone(whetstone.tenant, url=server.url, key=server.key, queue_folder=tmp_path) as client:
        run = client.run("Water the plants")
        run.succeeded = True
        run.end()
        assert client.flush(10)
        assert client.counts.uploaded == 1 and client.counts.dropped == 1
    assert "the server does not take it" in caplog.text
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_what_is_flushed_is_counted_however_slowly_files_are_removed(
    whetstone: Whetstone, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = FolderQueue.remove

    def slowly(queue: FolderQueue, entry: Entry) -> bool:
        was_there = remove(queue, entry)
        time.sleep(0.3)
        return was_there

    monkeypatch.setattr(FolderQueue, "remove", slowly)
    (tmp_path / f"{0:020d}-{'0' * 32}.json").write_text('{"tenant_id": "cut')
    with Whetstone(whetstone.tenant, url=server.url, key=server.key, queue_folder=tmp_path) as client:
        run = client.run("Water the plants")
        run.succeeded = True
        run.end()
        wait_for(lambda: not files_in(tmp_path))
        assert client.flush(10)
        assert client.counts.uploaded == 1 and client.counts.dropped == 1


def test_a_closed_client_takes_no_more_runs_in_silence(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    client = Whetstone("t", url=server.url, key=server.key)
    run = client.run("Water the plants")
    client.close()
    run.succeeded = True
    run.end()
    assert client.counts.dropped == 1 and "the client is closed" in caplog.text


def assert_uploads(client: Whetstone) -> None:
    run = client.run("Water the plants")
    run.succeeded = True
    run.end()
    assert client.flush(10) and client.counts.uploaded == 1


def test_a_folder_that_cannot_be_used_costs_neither_the_agent_nor_the_run(
    whetstone: Whetstone, server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "queue"
    folder.write_text("a file")
    with Whetstone(whetstone.tenant, url=server.url, key=server.key, queue_folder=folder) as client:
        assert_uploads(client)
    assert "Runs wait in memory" in caplog.text


def test_a_full_disk_leaves_no_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    queue = FolderQueue(tmp_path, 10, 1000, Teller())
    monkeypatch.setattr(os, "replace", full)
    queue.add(b"{}")
    assert list(tmp_path.iterdir()) == [] and len(queue) == 1
    assert queue.clear() == 1 and len(queue) == 0


def test_a_file_that_cannot_be_read_does_not_hold_up_the_others(
    whetstone: Whetstone, server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / f"{0:020d}-{'0' * 32}.json").mkdir()
    with Whetstone(whetstone.tenant, url=server.url, key=server.key, queue_folder=tmp_path) as client:
        assert_uploads(client)
    assert "cannot be read" in caplog.text


FORKS = """
import multiprocessing, sys
from whetstone_client import Whetstone
client = Whetstone(sys.argv[3], url=sys.argv[1], key=sys.argv[2], queue_folder=sys.argv[4] or None, advice_timeout=20)
def work(number):
    with client.run(f"Water bed number {number}") as run:
        assert run.enhancement_id is not None
        run.succeeded = True
work(0)
fork = multiprocessing.get_context("fork")
children = [fork.Process(target=work, args=(number,)) for number in (1, 2, 3)]
for child in children: child.start()
work(4)
for child in children: child.join()
"""


@pytest.mark.parametrize("kind", ["memory", "folder"])
def test_forked_processes_get_advice_and_upload_before_they_end(
    whetstone: Whetstone, server: Server, tmp_path: Path, kind: str
) -> None:
    folder = str(tmp_path / "queue") if kind == "folder" else ""
    command = [sys.executable, "-c", FORKS, server.url, server.key, whetstone.tenant, folder]
    source = str(Path(__file__).parents[1] / "src")
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": source}, capture_output=True, timeout=90)
    assert (done.returncode, done.stderr) == (0, b"")
    runs = wait_for(lambda: (found := whetstone.list_runs()["runs"]) and len(found) == 5 and found)
    assert sorted(run["query"] for run in runs) == [f"Water bed number {number}" for number in range(5)]


def test_no_process_is_forked_while_openssl_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    setting_up, is_set_up = Event(), Event()

    def set_up() -> ssl.SSLContext:
        setting_up.set()
        time.sleep(0.2)
        is_set_up.set()
        return ssl.create_default_context()

    monkeypatch.setattr(httpx, "create_ssl_context", set_up)
    transport._new_tls.cache_clear()
    thread = Thread(target=transport.tls)
    thread.start()
    assert setting_up.wait(10)
    child = os.fork()
    if child == 0:
        os._exit(0 if is_set_up.is_set() else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_a_lock_is_released_though_a_forked_process_has_it_open(tmp_path: Path) -> None:
    first, second = (FolderQueue(tmp_path, 10, 1000, Teller()) for _ in range(2))
    first.add(b"{}")
    assert first.first() is not None and second.first() is None
    inherited = os.dup(first._lock.fileno())  # type: ignore[union-attr]
    first.release()
    assert second.first() is not None
    os.close(inherited)


def test_runs_that_another_process_uploads_are_not_remembered(tmp_path: Path) -> None:
    holder = FolderQueue(tmp_path, 10, 1000, Teller())
    holder.add(b"{}")
    assert holder.first() is not None
    client = Whetstone("t", url=f"http://127.0.0.1:{free_port()}", queue_folder=tmp_path)
    for _ in range(3):
        run = client.run("Water the plants")
        run.succeeded = True
        run.end()
    del run
    assert len(client._uploader._receipts) == 0
    client.close(0)
