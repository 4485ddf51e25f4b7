from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections import deque
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Callable, Mapping
from weakref import WeakKeyDictionary, WeakSet

import httpx

from .advice import Advice, Adviser
from .errors import WhetstoneError
from .operations import AsyncOperations, Operations
from .queues import FolderQueue, MemoryQueue, UploadQueue
from .run import AsyncRun, Run, _BaseRun
from .telling import Teller
from .transport import Connection, answer_of, tls, unreachable
from .uploader import Uploader


@dataclass(frozen=True)
class Counts:
    """What became of tasks and runs since the client was made, or since the process was forked."""

    #: Tasks that the server answered, with or without recommendations.
    advised: int
    #: Tasks without an answer: the server was away or refused, or was not asked because of that.
    away: int
    #: Runs that the server has.
    uploaded: int
    #: Runs that wait for their upload.
    waiting: int
    #: Attempts to upload that failed and were repeated.
    retried: int
    #: Runs that were lost: the queue was full, the server did not take them, or the client was closed.
    dropped: int
    #: Runs that ended with neither turns nor an outcome, and were not uploaded.
    empty: int
    #: Values and turns that were left out to keep runs within the server's limits.
    values_shortened: int
    turns_left_out: int


class _Client:
    """What the sync and the async client share: settings, the background uploads, the counters."""

    def __init__(
        self,
        tenant: str,
        agent_type: str | None = None,
        url: str | None = None,
        key: str | None = None,
        *,
        advice_timeout: float = 2.0,
        timeout: float = 30.0,
        queue_folder: str | os.PathLike[str] | None = None,
        max_queued_runs: int = 1000,
        max_queued_bytes: int = 64 * 1024 * 1024,
        exit_timeout: float = 5.0,
        cool_down: float = 30.0,
    ) -> None:
        if not tenant:
            raise ValueError("tenant is empty: name a collection, such as one per bot or workflow")
        self.tenant = tenant
        self.agent_type = agent_type
        self.timeout = timeout
        self._advice_timeout = advice_timeout
        self._exit_timeout = exit_timeout
        self._cool_down = cool_down
        self._queue_folder = None if queue_folder is None else Path(queue_folder)
        self._queue_limits = max_queued_runs, max_queued_bytes
        self._connection = Connection.of(url, key)
        self._begin()
        if len(self._queue) > 0:  # Left by an earlier process.
            self._uploader.start()
            self._watch_exit()
        _clients.add(self)

    def _begin(self) -> None:
        """Also in a forked process: connections, threads, locks and what waits in memory are the parent's."""
        self._teller = Teller()
        self._adviser = Adviser(self._teller, self._cool_down)
        self._queue: UploadQueue = (
            MemoryQueue(*self._queue_limits)
            if self._queue_folder is None
            else FolderQueue(self._queue_folder, *self._queue_limits, self._teller)
        )
        self._uploader = Uploader(self._connection, self._queue, self._teller, timeout=self.timeout)
        #: Ends of runs that are still being recorded.
        self._ending: deque[threading.Thread] = deque()
        self._counting = threading.Lock()
        self._empty = self._values_shortened = self._turns_left_out = 0
        self._at_exit: Finalize[None] | None = None

    def _forked(self) -> None:
        if isinstance(self._queue, FolderQueue):
            self._queue.leave_lock()
        self._begin()

    def _watch_exit(self) -> None:
        """Not atexit: processes that multiprocessing forks end without it."""
        if self._at_exit is None:
            self._at_exit = Finalize(None, self._close, args=(self._exit_timeout,), exitpriority=0)

    @property
    def counts(self) -> Counts:
        return Counts(
            advised=self._adviser.advised,
            away=self._adviser.away,
            uploaded=self._uploader.uploaded,
            waiting=len(self._queue),
            retried=self._uploader.retried,
            dropped=self._uploader.dropped,
            empty=self._empty,
            values_shortened=self._values_shortened,
            turns_left_out=self._turns_left_out,
        )

    def _flush(self, timeout: float) -> bool:
        self._join()
        return self._uploader.flush(min(timeout, threading.TIMEOUT_MAX))

    def _close(self, timeout: float) -> None:
        if self._at_exit is not None:
            self._at_exit.cancel()
        self._join()
        self._uploader.close(min(timeout, threading.TIMEOUT_MAX))
        self._teller.tell_kept_back("dropped")

    def _later(self, work: Callable[[], None]) -> None:
        self._watch_exit()
        while self._ending and not self._ending[0].is_alive():
            self._ending.popleft()
        thread = threading.Thread(target=work, name="whetstone-run", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # The system is out of threads.
            work()
        else:
            self._ending.append(thread)

    def _join(self) -> None:
        while self._ending:
            self._ending.popleft().join()

    def _upload(self, run: _BaseRun) -> None:
        self._watch_exit()
        turns = run._turns
        with self._counting:
            self._values_shortened += turns.shortened
            self._turns_left_out += turns.left_out
            is_empty = turns.count == 0 and run.succeeded is None
            self._empty += is_empty
        if is_empty:
            self._teller.tell("empty", "A run ended with neither turns nor an outcome: nothing to upload. Call run.turn()")
            return
        if turns.shortened or turns.left_out:
            what = f"A long run was shortened: {turns.shortened} values cut, {turns.left_out} turns left out"
            self._teller.tell("shortened", what)
        run._uploaded = True
        try:
            body = run._body()
        except Exception as error:  # noqa: BLE001 - the agent goes on, whatever it recorded
            self._uploader.drop(1, f"it could not be written as JSON: {error!r}")
            return
        self._uploader.put(body, run._receipt)


class Whetstone(_Client, Operations):
    """A client for agents. `url` and `key` come from WHETSTONE_URL and WHETSTONE_KEY unless you pass them.

    `run` and `advise` never raise because of the server, and wait `advice_timeout` seconds at most. The other methods,
    one for each operation of the REST interface, raise a `WhetstoneError` if they fail.
    """

    def _begin(self) -> None:
        super()._begin()
        self._http: httpx.Client | None = None

    def run(
        self,
        task: str,
        *,
        context: Mapping[str, object] | None = None,
        metadata: Mapping[str, object] | None = None,
        agent_type: str | None = None,
    ) -> Run:
        return Run(self, task, context, metadata, agent_type)

    def advise(
        self, task: str, *, context: Mapping[str, object] | None = None, agent_type: str | None = None
    ) -> Advice:
        """The task with recommendations, or the plain task if the server is away."""
        if not self._adviser.may_ask(task):
            return Advice(task)
        try:
            question = self._adviser.question(task, context)

            def ask() -> Any:
                return self.enhance_task(**question, agent_type=agent_type, timeout=self._advice_timeout)

            return self._adviser.read(task, question["input_text"], _within(self._advice_timeout, ask))
        except Exception as error:  # noqa: BLE001 - the agent goes on, whatever the reason
            return self._adviser.failed(task, error)

    def _call(self, method: str, path: str, *, timeout: float | None = None, **sent: Any) -> Any:
        request = self._connection.request(method, path, timeout=self.timeout if timeout is None else timeout, **sent)
        try:
            if self._http is None:
                self._http = httpx.Client(verify=tls())
            response = self._http.send(request)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(self._connection, error) from error
        return answer_of(response)

    def flush(self, timeout: float = 10.0) -> bool:
        """Uploads what waits, for `timeout` seconds at most. Returns whether nothing waits any more."""
        return self._flush(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Flushes, and logs what is left. Happens by itself when the process ends."""
        self._close(timeout)
        if self._http is not None:
            self._http.close()
            self._http = None

    def __enter__(self) -> Whetstone:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()


class AsyncWhetstone(_Client, AsyncOperations):
    """The same as `Whetstone` with `await`."""

    def _begin(self) -> None:
        super()._begin()
        #: Connections belong to an event loop, and each `asyncio.run` has its own.
        self._https: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    def run(
        self,
        task: str,
        *,
        context: Mapping[str, object] | None = None,
        metadata: Mapping[str, object] | None = None,
        agent_type: str | None = None,
    ) -> AsyncRun:
        return AsyncRun(self, task, context, metadata, agent_type)

    async def advise(
        self, task: str, *, context: Mapping[str, object] | None = None, agent_type: str | None = None
    ) -> Advice:
        """The task with recommendations, or the plain task if the server is away."""
        if not self._adviser.may_ask(task):
            return Advice(task)
        limit = self._advice_timeout
        try:
            question = self._adviser.question(task, context)
            asking = self.enhance_task(**question, agent_type=agent_type, timeout=limit)
            answer: Mapping[str, Any] = await asyncio.wait_for(asking, limit)
            return self._adviser.read(task, question["input_text"], answer)
        except asyncio.TimeoutError:
            return self._adviser.failed(task, _too_late(limit))
        except Exception as error:  # noqa: BLE001 - the agent goes on, whatever the reason
            return self._adviser.failed(task, error)

    async def _call(self, method: str, path: str, *, timeout: float | None = None, **sent: Any) -> Any:
        request = self._connection.request(method, path, timeout=self.timeout if timeout is None else timeout, **sent)
        try:
            loop = asyncio.get_running_loop()
            if loop not in self._https:
                self._https[loop] = httpx.AsyncClient(verify=tls())
            response = await self._https[loop].send(request)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(self._connection, error) from error
        return answer_of(response)

    async def flush(self, timeout: float = 10.0) -> bool:
        """Uploads what waits, for `timeout` seconds at most. Returns whether nothing waits any more."""
        return await asyncio.to_thread(self._flush, timeout)

    async def close(self, timeout: float = 5.0) -> None:
        """Flushes, and logs what is left. Happens by itself when the process ends."""
        await asyncio.to_thread(self._close, timeout)
        http = self._https.pop(asyncio.get_running_loop(), None)
        if http is not None:
            await http.aclose()

    async def __aenter__(self) -> AsyncWhetstone:
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self.close()


_clients: WeakSet[_Client] = WeakSet()


def _after_fork() -> None:
    for client in list(_clients):
        client._forked()


if hasattr(os, "register_at_fork"):  # Not on Windows.
    os.register_at_fork(after_in_child=_after_fork)


def _too_late(seconds: float) -> WhetstoneError:
    return WhetstoneError(f"No answer within {seconds:g} s", code="timeout", retryable=True)


def _within(seconds: float, work: Callable[[], Any]) -> Any:
    """In a thread of its own: socket timeouts cover neither the lookup of a name nor an answer that trickles in."""
    answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

    def answer() -> None:
        try:
            answers.put((work(), None))
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits
            answers.put((None, error))

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(answer,), name="whetstone-advice", daemon=True).start()
    try:
        value, error = answers.get(timeout=seconds)
    except Empty:
        raise _too_late(seconds) from None
    if error is not None:
        raise error
    return value
