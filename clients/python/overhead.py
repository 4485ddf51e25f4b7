"""What `enhance_task` and `advise` cost through the client, compared with bare httpx, on the server at WHETSTONE_URL."""

from __future__ import annotations

import os
import statistics
import time
from typing import Callable

import httpx
from whetstone_client import Whetstone

TASK = "How many orders did each customer place in 2025?"
ROUNDS = 300


def main() -> None:
    client = Whetstone("overhead", "sql", advice_timeout=10)
    key = os.environ["WHETSTONE_KEY"]
    body = {"tenant_id": "overhead", "agent_type": "sql", "input_text": TASK}
    with httpx.Client(base_url=os.environ["WHETSTONE_URL"], headers={"x-api-key": key}) as bare:
        ways: dict[str, Callable[[], object]] = {
            "bare httpx": lambda: bare.post("/enhance_task", json=body).json(),
            "enhance_task": lambda: client.enhance_task(TASK),
            "advise": lambda: client.advise(TASK),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        # In turns, so that a busy moment hits all of them.
        for _ in range(ROUNDS):
            for name, ask in ways.items():
                began = time.perf_counter()
                ask()
                times[name].append((time.perf_counter() - began) * 1000)
    medians = {name: statistics.median(measured) for name, measured in times.items()}
    for name, median in medians.items():
        print(f"{name:13} median {median:6.2f} ms, {median - medians['bare httpx']:+.2f} ms")
    client.close()


if __name__ == "__main__":
    main()
