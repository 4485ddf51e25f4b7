"""Agents that learn from what they did: the client of Whetstone."""

from . import types
from .advice import Advice
from .client import AsyncWhetstone, Counts, Whetstone
from .errors import WhetstoneError
from .messages import turns_from_messages
from .run import AsyncRun, Run

__version__ = "1.0.0"
__all__ = [
    "Advice",
    "AsyncRun",
    "AsyncWhetstone",
    "Counts",
    "Run",
    "Whetstone",
    "WhetstoneError",
    "turns_from_messages",
    "types",
]
