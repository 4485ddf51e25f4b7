"""Long runs stay within the server's limits and within memory, and say what is missing."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from whetstone_client import Whetstone
from whetstone_client.recorded_turns import RecordedTurns, shorten


def test_ten_thousand_long_turns_take_bounded_memory_and_are_accepted(
    whetstone: Whetstone, caplog: pytest.LogCaptureFixture
) -> None:
    with whetstone.run("Count every leaf in the garden") as run:
        tracemalloc.start()
        for number in range(10_000):
            result = "counted " * (5000 if number % 10 == 0 else 100)
            run.turn(inputs="leaf " * 100, decision=f"count({number})", result=result)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        run.succeeded = True
    assert peak < 16 * 1024 * 1024
    body = json.loads(run._body())
    assert len(run._body()) < 4 * 1024 * 1024
    assert body["turns"][0]["turn"] == 1 and body["turns"][-1]["turn"] == 10_000
    left_out = 10_000 - len(body["turns"])
    assert body["metadata"]["shortened"] == {"turns_left_out": left_out, "values_shortened": 1000}
    assert "characters left out" in body["turns"][0]["result"]
    assert whetstone.flush(30) and run.job_id is not None
    assert whetstone.counts.turns_left_out == left_out > 0 and whetstone.counts.values_shortened == 1000
    assert caplog.text.count("A long run was shortened") == 1


def test_short_runs_are_kept_whole() -> None:
    turns = RecordedTurns()
    for number in range(10_000):
        turns.add("seen", f"do({number})", "done")
    assert len(json.loads(turns.to_json())) == 10_000 and turns.left_out == 0 and turns.shortened == 0


def test_one_turn_larger_than_everything_is_shortened_and_kept() -> None:
    turns = RecordedTurns(value_chars=1000, turns_bytes=4000)
    turns.add("🙂" * 5000, "🙂" * 5000, "🙂" * 5000)
    turns.add("seen", "do", "done")
    kept = json.loads(turns.to_json())
    assert kept[-1]["decision"] == "do" and turns.shortened == 3


def test_shortening_keeps_both_ends() -> None:
    short = shorten("a" * 50 + "b" * 1000 + "c" * 50, 100)
    assert short.startswith("a" * 50) and short.endswith("c" * 25) and "[1000 characters left out]" in short
    assert shorten("\ud83d", 10) == "\ufffd" and shorten("\ud83d\ude42", 10) == "🙂"
