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

from .telling import Teller

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

    def remove(self, entry: Entry) -> bool:
        """Whether it was there: it may have been dropped meanwhile."""

    def clear(self) -> int:
        """Drops what cannot survive the process; returns how many."""

    def release(self) -> None:
        """Lets another process upload."""

    def __len__(self) -> int: ...


def _new_name() -> str:
    """Sorts by time, and is an idempotency key."""
    return f"{time_ns():020d}-{uuid.uuid4().hex}"


class MemoryQueue:
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

    def remove(self, entry: Entry) -> bool:
        with self._lock:
            if entry not in self._entries:
                return False
            self._entries.remove(entry)
            self._bytes -= len(entry.body)
            return True

    def clear(self) -> int:
        with self._lock:
            dropped = len(self._entries)
            self._entries.clear()
            self._bytes = 0
            return dropped

    def release(self) -> None:
        pass

    def __len__(self) -> int:
        return len(self._entries)


_UNUSABLE = "Runs wait in memory, because the queue's folder cannot be used: {}"
_FILE = re.compile(r"^(\d{20}-[0-9a-f]{32})\.json$")


class FolderQueue:
    """One file for each run, named by its idempotency key. The process that holds the lock uploads.

    The folder holds what agents did, unredacted, readable for its owner only, and no key. A run that cannot be written
    to it waits in memory.
    """

    def __init__(self, folder: Path, max_runs: int, max_bytes: int, teller: Teller) -> None:
        self._folder, self._max_runs, self._max_bytes, self._teller = folder, max_runs, max_bytes, teller
        self._memory = MemoryQueue(max_runs, max_bytes)
        self._lock: IO[bytes] | None = None
        #: Files that cannot be read or removed.
        self._stuck: set[str] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for part in folder.glob("*.part"):
                self._remove_if_old(part)
        except OSError as error:
            self._tell(_UNUSABLE.format(error))

    def add(self, body: bytes) -> tuple[str, list[str]]:
        try:
            name = self._write(body)
        except OSError as error:
            self._tell(_UNUSABLE.format(error))
            return self._memory.add(body)
        return name, self._make_room()

    def _write(self, body: bytes) -> str:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Appears by a rename, so that it is always whole; mkstemp makes files that only their owner reads.
        handle, part = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
            os.replace(part, self._file(name := _new_name()))
        except OSError:
            os.unlink(part)
            raise
        return name

    def _make_room(self) -> list[str]:
        sizes = [(name, self._size(name)) for name in self._names()]
        total = sum(size for _, size in sizes)
        dropped: list[str] = []
        while len(sizes) > 1 and (len(sizes) > self._max_runs or total > self._max_bytes):
            name, size = sizes.pop(0)
            total -= size
            self._unlink(name)
            dropped.append(name)
        return dropped

    def first(self) -> Entry | None:
        if (entry := self._memory.first()) is not None:
            return entry
        names = self._names()
        if not names or not self._hold():
            return None
        for name in names:
            try:
                return Entry(name, self._file(name).read_bytes())
            except FileNotFoundError:
                continue  # Another process has uploaded it.
            except OSError as error:
                self._stuck.add(name)
                self._tell(f"A run stays in the queue's folder, because it cannot be read: {error}")
        return None

    def remove(self, entry: Entry) -> bool:
        return self._memory.remove(entry) or self._unlink(entry.idempotency_key)

    def clear(self) -> int:
        return self._memory.clear()

    def release(self) -> None:
        if self._lock is not None and fcntl is not None:
            # Closing is not enough: a process that was forked meanwhile has it open as well.
            fcntl.flock(self._lock, fcntl.LOCK_UN)
        self.leave_lock()

    def leave_lock(self) -> None:
        """Without letting go of it: in a forked process it is the parent's."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __len__(self) -> int:
        return len(self._memory) + len(self._names())

    def _hold(self) -> bool:
        if self._lock is not None or fcntl is None:
            return True
        try:
            lock = open(self._folder / ".lock", "ab")  # noqa: SIM115 - held until released
        except OSError:
            return True  # In a read-only folder. Idempotency keys keep uploads single.
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        except OSError:
            pass  # A file system without locks.
        self._lock = lock
        return True

    def _names(self) -> list[str]:
        try:
            files = os.listdir(self._folder)
        except OSError:
            return []  # Told when a run is to be written.
        names = (match[1] for match in map(_FILE.match, files) if match)
        return sorted(name for name in names if name not in self._stuck)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _size(self, name: str) -> int:
        try:
            return self._file(name).stat().st_size
        except OSError:
            return 0

    def _unlink(self, name: str) -> bool:
        try:
            self._file(name).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            self._stuck.add(name)
            self._tell(f"A run cannot be removed from the queue's folder: {error}")
        return True

    def _remove_if_old(self, part: Path) -> None:
        """Left by a process that was killed."""
        try:
            if time() - part.stat().st_mtime > 3600:
                part.unlink()
        except FileNotFoundError:
            pass  # Another process has renamed or removed it.

    def _tell(self, message: str) -> None:
        self._teller.tell("folder", message)
