"""One task of an agent: advice before it, what it did, how it ended."""

from __future__ import annotations

import json
from contextvars import ContextVar
from datetime import datetime, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from .advice import Advice
from .messages import turns_from_messages
from .recorded_turns import RecordedTurns, printed, shorten, text_of, well_formed, without_advice
from .types import Recommendation
from .uploader import Receipt

if TYPE_CHECKING:
    from .client import AsyncWhetstone, Whetstone, _Client

#: Characters of the task, and of the metadata as JSON, that are uploaded.
QUERY_CHARS = 128 * 1024
METADATA_CHARS = 64 * 1024
ERROR_CHARS = 4 * 1024


class _BaseRun:
    def __init__(
        self,
        client: _Client,
        task: str,
        context: Mapping[str, object] | None,
        metadata: Mapping[str, object] | None,
        agent_type: str | None,
    ) -> None:
        self._client = client
        self._context = context
        self._agent_type = agent_type or client.agent_type
        self._advice = Advice(task)
        self._turns = RecordedTurns()
        self._started = datetime.now(timezone.utc)
        self._ended = False
        self._uploaded = False
        #: The run that this one is nested in.
        self._outer: _BaseRun | None = None
        self._receipt = Receipt()
        #: For adapters that hear of the last turns only after the end of the run.
        self._before_upload: list[Callable[[], None]] = []
        #: The task as it was given.
        self.query = task
        #: Uploaded with the run.
        self.metadata: dict[str, object] = dict(metadata or {})
        #: How it ended; None if nobody knows.
        self.succeeded: bool | None = None

    @property
    def task(self) -> str:
        """The task with recommendations; the plain task if there are none or the server is away."""
        return self._advice.task

    @property
    def recommendations(self) -> list[Recommendation]:
        return self._advice.recommendations

    @property
    def enhancement_id(self) -> str | None:
        return self._advice.enhancement_id

    @property
    def job_id(self) -> str | None:
        """Of the upload; None until the server has it."""
        return self._receipt.job_id

    def turn(self, *, inputs: object, decision: object, result: object = None, memory: object = None) -> None:
        """Records one step: what the agent saw, what it did, what came back. Takes any values and never raises."""
        if self._uploaded:
            self._client._teller.tell("late", "A turn came after its run had ended, and is left out")
        else:
            self._turns.add(inputs, decision, result, memory)

    def messages(self, messages: Iterable[Any]) -> None:
        """Records a conversation: a message list of OpenAI or Anthropic. Never raises."""
        try:
            turns = turns_from_messages(messages)
        except Exception as error:  # noqa: BLE001 - the agent goes on, whatever it hands over
            self._client._teller.tell("messages", f"A message list cannot be read, and is left out: {printed(error)}")
            return
        for turn in turns:
            self.turn(
                inputs=turn["inputs"], decision=turn["decision"], result=turn.get("result"), memory=turn.get("memory")
            )

    def _enter(self) -> None:
        self._outer = live_run()
        current_run.set(self)

    def _end(self, error: BaseException | None) -> None:
        if self._ended:
            return
        self._ended = True
        if error is not None:
            self.metadata["error"] = shorten(": ".join(filter(None, (type(error).__name__, printed(error)))), ERROR_CHARS)
        # An interrupted run has not failed: nobody knows.
        if isinstance(error, Exception):
            self.succeeded = False
        if current_run.get() is self:
            current_run.set(live_run())
        if self._before_upload:
            self._client._later(self._complete)
        else:
            self._client._upload(self)

    def _complete(self) -> None:
        for record in self._before_upload:
            try:
                record()
            except Exception as error:  # noqa: BLE001 - what is there is uploaded all the same
                self._client._teller.tell("messages", f"Turns may be missing from a run: {printed(error)}")
        self._client._upload(self)

    def _body(self) -> bytes:
        """The JSON of the upload; the turns are JSON already."""
        metadata = _plain(self.metadata)
        if self.enhancement_id is not None:
            metadata["enhancement_id"] = self.enhancement_id
        if self._turns.left_out or self._turns.shortened:
            metadata["shortened"] = {"turns_left_out": self._turns.left_out, "values_shortened": self._turns.shortened}
        upload = {
            "tenant_id": self._client.tenant,
            "query": shorten(without_advice(self.query), QUERY_CHARS),
            "agent_type": self._agent_type,
            "success": self.succeeded if self.succeeded is None else bool(self.succeeded),
            "timestamp": self._started.isoformat(),
            "metadata": metadata,
        }
        head = well_formed(json.dumps(upload, ensure_ascii=False, separators=(",", ":"))).encode()
        return head[:-1] + b',"turns":' + self._turns.to_json() + b"}"


def _plain(metadata: Mapping[str, object]) -> dict[str, object]:
    """JSON that the server takes."""
    try:
        text = json.dumps(metadata, default=str, allow_nan=False)
    except Exception:  # noqa: BLE001 - values may be anything, and so may what they raise
        text = json.dumps({str(name): text_of(value) for name, value in metadata.items()})
    if len(text) > METADATA_CHARS:
        text = json.dumps({"left_out": f"{len(text)} characters of metadata"})
    plain: dict[str, object] = json.loads(text)
    return plain


class Run(_BaseRun):
    """`with whetstone.run("task") as run:`. Without `with`: `begin()` and `end()`."""

    _client: Whetstone

    def begin(self) -> Run:
        self._advice = self._client.advise(self.query, context=self._context, agent_type=self._agent_type)
        self._enter()
        return self

    def end(self, error: BaseException | None = None) -> None:
        """Uploads the run in the background."""
        self._end(error)

    def __enter__(self) -> Run:
        return self.begin()

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        self.end(error)


class AsyncRun(_BaseRun):
    """`async with whetstone.run("task") as run:`. Without `with`: `await begin()` and `end()`."""

    _client: AsyncWhetstone

    async def begin(self) -> AsyncRun:
        self._advice = await self._client.advise(self.query, context=self._context, agent_type=self._agent_type)
        self._enter()
        return self

    def end(self, error: BaseException | None = None) -> None:
        """Uploads the run in the background."""
        self._end(error)

    async def __aenter__(self) -> AsyncRun:
        return await self.begin()

    async def __aexit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        self.end(error)


AnyRun = Run | AsyncRun

#: The run that this thread or task is in, for adapters that are told of calls but not of runs.
current_run: ContextVar[_BaseRun | None] = ContextVar("whetstone_run", default=None)


def live_run() -> _BaseRun | None:
    """The innermost that has not ended: `begin` and `end` may be called in different threads."""
    run = current_run.get()
    while run is not None and run._ended:
        run = run._outer
    return run
