"""The package builds, installs into an empty environment, and its types hold."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import PROJECT, Server

CLIENT = Path(__file__).parents[1]


def run(*command: object, **settings: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **settings)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def test_the_wheel_installs_into_an_empty_environment_and_works(server: Server, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(CLIENT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "tests"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", source)
    [wheel] = (tmp_path / "dist").glob("whetstone_client-1.0.0-py3-none-any.whl")
    [sdist] = (tmp_path / "dist").glob("whetstone_client-1.0.0.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {"whetstone_client/py.typed", "whetstone_client-1.0.0.dist-info/licenses/LICENSE"} <= names
    with tarfile.open(sdist) as unpacked:
        assert {"README.md", "CHANGELOG.md", "LICENSE"} <= {Path(name).name for name in unpacked.getnames()}

    venv.create(tmp_path / "empty", with_pip=False)
    python = tmp_path / "empty" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check", wheel)
    program = "from whetstone_client import Whetstone; print(Whetstone(tenant='t').get_service_status()['status'])"
    env = {**os.environ, "WHETSTONE_URL": server.url, "WHETSTONE_KEY": server.key, "PYTHONPATH": ""}
    assert run(python, "-c", program, env=env, cwd=tmp_path) == "ok\n"


def test_types_hold_strictly() -> None:
    run(sys.executable, "-m", "mypy", cwd=CLIENT)


@pytest.mark.parametrize("example", ["langgraph", "openai-agents"])
def test_the_example_answers_the_second_question_at_the_first_try(
    server: Server, tenant: str, tmp_path: Path, example: str
) -> None:
    env = {
        **os.environ,
        "WHETSTONE_URL": server.url,
        "WHETSTONE_KEY": server.key,
        "WHETSTONE_TENANT": tenant,
        "PYTHONPATH": str(CLIENT / "src"),
    }
    printed = run(sys.executable, PROJECT / "examples" / example / "agent.py", env=env, cwd=tmp_path)
    assert "2 queries, 0 recommendations" in printed and "1 queries, 1 recommendations" in printed
