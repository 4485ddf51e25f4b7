"""Where runs wait for their upload: in memory, or in a folder that survives the process."""

from __future__ import annotations

import os
import re
import tempfile
import uuid
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import time, time_ns
from typing import IO, Protocol

try:
    import fcntl
except ImportError:  # On Windows processes do not take turns; idempotency keys keep their uploads single.
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Entry:
    idempotency_key: str
    #: The JSON of an AgentKnowledgeUpload.
    body: bytes


class UploadQueue(Protocol):
    """First in, first out. When it is full the oldest entries go."""

    def add(self, body: bytes) -> tuple[str, list[str]]:
        """Returns the idempotency key of the new entry, and those of entries that were dropped to make room."""

    def first(self) -> Entry | None:
        """None also while another process uploads from the same folder."""

    def remove(self, entry: Entry) -> None: ...

    def release(self) -> None:
        """Lets another process upload."""

    def __len__(self) -> int: ...

    @property
    def survives(self) -> bool: ...


def _new_name() -> str:
    """Sorts by time, and is an idempotency key."""
    return f"{time_ns():020d}-{uuid.uuid4().hex}"


class MemoryQueue:
    survives = False

    def __init__(self, max_runs: int, max_bytes: int) -> None:
        self._max_runs, self._max_bytes = max_runs, max_bytes
        self._lock = Lock()
        self._entries: deque[Entry] = deque()
        self._bytes = 0

    def add(self, body: bytes) -> tuple[str, list[str]]:
        with self._lock:
            self._entries.append(Entry(name := _new_name(), body))
            self._bytes += len(body)
            dropped: list[str] = []
            while len(self._entries) > 1 and (len(self._entries) > self._max_runs or self._bytes > self._max_bytes):
                oldest = self._entries.popleft()
                self._bytes -= len(oldest.body)
                dropped.append(oldest.idempotency_key)
            return name, dropped

    def first(self) -> Entry | None:
        with self._lock:
            return self._entries[0] if self._entries else None

    def remove(self, entry: Entry) -> None:
        with self._lock:
            # It may have been dropped meanwhile.
            if entry in self._entries:
                self._entries.remove(entry)
                self._bytes -= len(entry.body)

    def release(self) -> None:
        pass

    def __len__(self) -> int:
        return len(self._entries)


_FILE = re.compile(r"^(\d{20}-[0-9a-f]{32})\.json$")


class FolderQueue:
    """One file for each run, named by its idempotency key. The process that holds the lock uploads.

    The folder holds what agents did, unredacted, readable for its owner only, and no key.
    """

    survives = True

    def __init__(self, folder: Path, max_runs: int, max_bytes: int) -> None:
        self._folder, self._max_runs, self._max_bytes = folder, max_runs, max_bytes
        self._lock: IO[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for part in folder.glob("*.part"):
            if time() - part.stat().st_mtime > 3600:  # Of a process that was killed.
                part.unlink(missing_ok=True)

    def add(self, body: bytes) -> tuple[str, list[str]]:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Appears by a rename, so that it is always whole; mkstemp makes files that only their owner reads.
        handle, part = tempfile.mkstemp(dir=self._folder, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        os.replace(part, self._file(new := _new_name()))
        sizes = [(name, self._size(name)) for name in self._names()]
        total = sum(size for _, size in sizes)
        dropped: list[str] = []
        while len(sizes) > 1 and (len(sizes) > self._max_runs or total > self._max_bytes):
            name, size = sizes.pop(0)
            total -= size
            self._unlink(name)
            dropped.append(name)
        return new, dropped

    def first(self) -> Entry | None:
        names = self._names()
        if not names or not self._hold():
            return None
        for name in names:
            try:
                return Entry(name, self._file(name).read_bytes())
            except FileNotFoundError:
                continue  # Another process has uploaded it.
        return None

    def remove(self, entry: Entry) -> None:
        self._unlink(entry.idempotency_key)

    def release(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __len__(self) -> int:
        return len(self._names())

    def _hold(self) -> bool:
        if self._lock is not None or fcntl is None:
            return True
        lock = open(self._folder / ".lock", "ab")  # noqa: SIM115 - held until released
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._lock = lock
        return True

    def _names(self) -> list[str]:
        try:
            files = os.listdir(self._folder)
        except FileNotFoundError:
            return []
        return sorted(match[1] for match in map(_FILE.match, files) if match)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _size(self, name: str) -> int:
        try:
            return self._file(name).stat().st_size
        except FileNotFoundError:
            return 0

    def _unlink(self, name: str) -> None:
        self._file(name).unlink(missing_ok=True)
