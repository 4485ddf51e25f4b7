"""Uploads runs in the background, one after another, and retries until the server has them."""

from __future__ import annotations

import logging
import random
from threading import Condition, Thread, current_thread
from time import monotonic
from weakref import WeakValueDictionary

import httpx

from .errors import WhetstoneError
from .queues import Entry, UploadQueue
from .telling import Teller
from .transport import Connection, answer_of, tls, unreachable

#: Seconds between tries: doubled at each failure, from the first to the second.
BACKOFF = (0.5, 60.0)
#: Of an upload that the server answers with 5xx without asking for another try.
TRIES = 5
#: Seconds until a refused key is tried again.
REFUSED_PAUSE = 300.0
#: Seconds, however long a server asks to be left alone.
LONGEST_ASKED = 600.0


class Receipt:
    """What the server gave for an upload of this process."""

    job_id: str | None = None


class Uploader:
    def __init__(self, connection: Connection, queue: UploadQueue, teller: Teller, *, timeout: float) -> None:
        self._connection = connection
        self._queue = queue
        self._teller = teller
        self._timeout = timeout
        self._changed = Condition()
        self._thread: Thread | None = None
        #: Weak: another process may upload what this one put into the folder.
        self._receipts: WeakValueDictionary[str, Receipt] = WeakValueDictionary()
        self._failures = 0
        #: Of them, those of the first entry that the server does not expect to pass.
        self._faults = 0
        #: No try before this time; `_asked` if the server said so, which flush() respects.
        self._not_before = 0.0
        self._asked = False
        self._refused = False
        self._stop_by: float | None = None
        self.uploaded = 0
        self.retried = 0
        self.dropped = 0

    def put(self, body: bytes, receipt: Receipt) -> None:
        with self._changed:
            name, dropped = self._queue.add(body)
            self._receipts[name] = receipt
        if dropped:
            self.drop(len(dropped), "the queue is full and the oldest runs go first; is the server reachable?")
        if self._stop_by is None:
            self.start()
        elif lost := self._queue.clear():
            self.drop(lost, "the client is closed")

    def flush(self, timeout: float) -> bool:
        """Whether everything was uploaded. Does not wait for a server that refuses the key."""
        if self._stop_by is None and len(self._queue) > 0:
            self.start()
        with self._changed:
            if not self._asked:
                self._not_before = 0.0
            self._changed.notify_all()
            self._changed.wait_for(lambda: len(self._queue) == 0 or self._refused, timeout)
            return len(self._queue) == 0

    def close(self, timeout: float) -> None:
        """Uploads what waits, for `timeout` seconds at most, and tells what is left."""
        with self._changed:
            self._stop_by = monotonic() + timeout
            if not self._asked:
                self._not_before = 0.0
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout)
        if lost := self._queue.clear():
            self.drop(lost, "not uploaded before the client was closed")
        if left := len(self._queue):
            self._teller.tell("left", f"{_runs(left)} left in the queue's folder for the next process")
        self._queue.release()

    def start(self) -> None:
        with self._changed:
            if self._thread is None or not self._thread.is_alive():
                thread = Thread(target=self._run, name="whetstone-uploads", daemon=True)
                try:
                    thread.start()
                except RuntimeError as error:  # The system is out of threads: the next run tries again.
                    self._teller.tell("upload", f"Uploads have to wait: {error}")
                else:
                    self._thread = thread
            self._changed.notify_all()

    def _run(self) -> None:
        http: httpx.Client | None = None
        while (entry := self._wait()) is not None:
            try:
                http = http or httpx.Client(verify=tls())
                job_id = self._send(http, entry)
            except WhetstoneError as error:
                self._failed(entry, error)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may succeed
                self._failed(entry, unreachable(self._connection, error))
            else:
                self._done(entry, job_id)
        if http is not None:
            http.close()

    def _wait(self) -> Entry | None:
        """What to try next, when it is time for it; None to stop."""
        with self._changed:
            while current_thread() is self._thread:
                now = monotonic()
                waiting = len(self._queue) > 0
                if not waiting:
                    self._queue.release()
                    self._changed.notify_all()
                if self._stop_by is not None and (not waiting or max(now, self._not_before) >= self._stop_by):
                    return None
                if waiting and now >= self._not_before:
                    if (entry := self._queue.first()) is not None:
                        return entry
                    self._changed.wait(0.2)  # Another process is at it.
                else:
                    self._changed.wait(self._not_before - now if waiting else None)
            return None

    def _send(self, http: httpx.Client, entry: Entry) -> str:
        request = self._connection.request(
            "POST",
            "/store_knowledge",
            content=entry.body,
            idempotency_key=entry.idempotency_key,
            timeout=self._timeout,
        )
        response = http.send(request)
        job_id = answer_of(response).get("job_id")
        if isinstance(job_id, str):
            return job_id
        raise WhetstoneError(
            f"{self._connection.shown} did not acknowledge an upload. Is something else at this address?",
            code="unexpected_answer",
            retryable=True,
            status=response.status_code,
        )

    def _done(self, entry: Entry, job_id: str) -> None:
        with self._changed:  # With its removal, or flush() could return before the run is counted.
            self._queue.remove(entry)
            receipt = self._receipts.pop(entry.idempotency_key, None)
            if receipt is not None:
                receipt.job_id = job_id
            self.uploaded += 1
            self._failures, self._faults, self._not_before = 0, 0, 0.0
            self._asked = self._refused = False
            self._changed.notify_all()

    def _failed(self, entry: Entry, error: WhetstoneError) -> None:
        is_final = not error.refused and not error.retryable
        self._faults += is_final
        if is_final and ((error.status or 500) < 500 or self._faults >= TRIES):
            self._failures = self._faults = 0
            with self._changed:
                self._queue.remove(entry)
                self.drop(1, f"the server does not take it: {error}")
            return
        self._queue.release()
        with self._changed:
            self.retried += 1
            self._failures += 1
            delay = min(BACKOFF[1], BACKOFF[0] * 2 ** min(self._failures - 1, 20)) * random.uniform(0.5, 1.0)
            if error.retry_after is not None:
                delay = max(delay, min(error.retry_after, LONGEST_ASKED))
            self._asked = error.refused or error.retry_after is not None
            self._refused = error.refused
            self._not_before = monotonic() + (REFUSED_PAUSE if error.refused else delay)
            if self._stop_by is not None and (error.refused or error.code == "unreachable"):
                self._stop_by = 0.0
            self._changed.notify_all()
        if error.refused:
            what = f"Uploads are refused, {_runs(len(self._queue))} waiting. Check WHETSTONE_KEY and its scopes: {error}"
            self._teller.tell("refused", what, logging.ERROR)
        else:
            self._teller.tell("upload", f"Uploads fail and are retried, {_runs(len(self._queue))} waiting: {error}")

    def drop(self, runs: int, why: str) -> None:
        with self._changed:
            self.dropped += runs
            total = self.dropped
            self._changed.notify_all()
        self._teller.tell("dropped", f"{_runs(runs)} dropped ({total} in all): {why}")


def _runs(count: int) -> str:
    return f"{count} {'run' if count == 1 else 'runs'}"
