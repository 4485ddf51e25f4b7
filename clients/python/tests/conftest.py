"""The real server: the one at WHETSTONE_URL (with a WHETSTONE_KEY of all scopes), or one that is started here."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from whetstone_client import Whetstone

PROJECT = Path(__file__).parents[3]
sys.path.insert(0, str(PROJECT / "examples"))

from scripted_model import ScriptedModel  # noqa: E402


@dataclass(frozen=True)
class Server:
    url: str
    key: str


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if os.environ.get("WHETSTONE_URL"):
        yield Server(os.environ["WHETSTONE_URL"].rstrip("/"), os.environ["WHETSTONE_KEY"])
        return
    folder = tmp_path_factory.mktemp("whetstone")
    ports = {"WHETSTONE_HTTP_PORT": str(free_port()), "WHETSTONE_OPS_PORT": str(free_port())}
    settings = {**os.environ, **ports, "WHETSTONE_DATA": str(folder / "data")}
    with open(folder / "printed.log", "wb") as printed:
        start = ["node", str(PROJECT / "services/standalone/bin/start.mjs")]
        process = subprocess.Popen(start, env=settings, cwd=folder, stdout=printed, stderr=printed)
    try:
        wait_for(lambda: _answers(f"http://127.0.0.1:{ports['WHETSTONE_OPS_PORT']}/readyz"), 120)
        yield Server(f"http://127.0.0.1:{ports['WHETSTONE_HTTP_PORT']}", _issue_key(settings))
    finally:
        process.terminate()
        process.wait(30)


def _issue_key(settings: dict[str, str]) -> str:
    scopes = [word for scope in ("ask", "record", "curate", "admin") for word in ("--scope", scope)]
    issue = ["keys", "issue", "--account", "client", "--approved-by", "test", "--reason", "test", "--json", *scopes]
    command = ["node", str(PROJECT / "services/cli/bin/whetstone.mjs"), *issue]
    printed = subprocess.run(command, env=settings, check=True, capture_output=True, text=True).stdout
    return str(json.loads(printed)["key"])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(condition: Callable[[], Any], seconds: float = 20) -> Any:
    until = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        assert time.monotonic() < until, "it did not come about in time"
        time.sleep(0.05)


@pytest.fixture
def tenant() -> str:
    return f"client-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def whetstone(server: Server, tenant: str) -> Iterator[Whetstone]:
    with Whetstone(tenant, "sql", url=server.url, key=server.key, advice_timeout=20) as client:
        yield client


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


def learn(client: Whetstone, run: Any) -> dict[str, Any]:
    """Waits until the run is uploaded and its lessons are told; returns what the server knows of it."""
    assert client.flush(20)
    assert client.get_knowledge_status(run.job_id, wait=30)["status"] == "completed"
    return dict(client.get_run(run.job_id))
