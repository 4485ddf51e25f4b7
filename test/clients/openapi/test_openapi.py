"""schemathesis and openapi-python-client, on the /openapi.json of the real server at WHETSTONE_URL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DOCUMENT = f"{os.environ['WHETSTONE_URL']}/openapi.json"


def run(folder: Path, *command: str, **env: str) -> str:
    """Runs a tool of this Python in a folder, and returns what it printed."""
    # The generator formats what it wrote with ruff, which is beside this Python.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {**os.environ, "PATH": path, "NO_COLOR": "1", **env}
    ran = subprocess.run(
        [sys.executable, *command], cwd=folder, env=settings, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def schemathesis(folder: Path, *options: str) -> str:
    """Sends valid and invalid data, and makes all checks that schemathesis has."""
    key = f"x-api-key: {os.environ['WHETSTONE_KEY']}"
    everything = ["--checks", "all", "--mode", "all", "--continue-on-failure", "--request-timeout", "100"]
    choices = ["--seed", os.environ["WHETSTONE_TEST_SEED"], *options]
    command = ["-m", "schemathesis.cli", "run", DOCUMENT, "--header", key, *everything, *choices]
    return run(folder, *command, SCHEMATHESIS_HOOKS="hooks", PYTHONPATH=str(HERE))


def test_schemathesis_finds_no_failure(tmp_path: Path) -> None:
    printed = schemathesis(tmp_path, "--max-examples", "15")
    assert "Selected: 24/24" in printed and "Tested: 24" in printed, printed


def test_schemathesis_finds_no_failure_in_operations_that_follow_each_other(tmp_path: Path) -> None:
    """Apart from the others: with them it begins with no operation that has a `tenant_id`, since none of them makes one."""
    linked = "^(storeKnowledge|getKnowledgeStatus|getRun|enhanceTask|giveFeedback|(write|get|change|delete)Lesson)$"
    options = ["--phases", "stateful", "--max-examples", "20", "--include-operation-id-regex", linked]
    printed = schemathesis(tmp_path, *options)
    assert "Selected: 9/24" in printed, printed


def test_a_generated_python_client_does_a_full_round(tmp_path: Path) -> None:
    options = ["--fail-on-warning", "--config", str(HERE / "openapi-python-client.yaml"), "--meta", "none"]
    generate = ["-m", "openapi_python_client", "generate", "--url", DOCUMENT, *options]
    run(tmp_path, *generate, "--output-path", "generated")
    program, package = str(HERE / "round.py"), str(tmp_path)
    # The generator's own modules are not strict; what they say about the types of the interface is.
    strict = ["--strict", "--follow-imports", "silent", "--cache-dir", os.devnull]
    run(tmp_path, "-m", "mypy", *strict, program, MYPYPATH=package)
    run(tmp_path, program, PYTHONPATH=package)
