"""Requests and answers, the same for the sync and the async client."""

from __future__ import annotations

import json
import os
import re
import ssl
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from threading import RLock
from time import time
from typing import Any, Iterable, Mapping

import httpx

from .errors import WhetstoneError

LOCAL = "http://127.0.0.1:8080"

#: Held while OpenSSL takes its own locks. A process forked meanwhile would inherit them, and wait for them forever.
_no_fork = RLock()
if hasattr(os, "register_at_fork"):  # Not on Windows.
    os.register_at_fork(before=_no_fork.acquire, after_in_parent=_no_fork.release, after_in_child=_no_fork.release)


@cache
def _new_tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def tls() -> ssl.SSLContext:
    """One for all clients, also those of forked processes."""
    with _no_fork:
        return _new_tls()


@dataclass(frozen=True)
class Connection:
    """Where the server is. Prints neither the key nor a password in the address."""

    url: str = field(repr=False)
    key: str | None = field(repr=False)

    @staticmethod
    def of(url: str | None, key: str | None) -> Connection:
        url = url or os.environ.get("WHETSTONE_URL") or LOCAL
        key = key or os.environ.get("WHETSTONE_KEY") or None
        return Connection(url.strip().rstrip("/"), key and key.strip())

    @property
    def shown(self) -> str:
        """The address for people, without a password."""
        return re.sub(r"//[^/@]*@", "//", self.url)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        lines: Iterable[Mapping[str, object]] | None = None,
        content: bytes | None = None,
        idempotency_key: str | None = None,
        timeout: float,
    ) -> httpx.Request:
        headers = {"accept": "application/json", "user-agent": "whetstone-client-python"}
        if self.key:
            # Checked here: the error that httpx would raise quotes the key.
            if not re.fullmatch(r"[!-~]+", self.key):
                raise unreachable(self, ValueError("the key has spaces, line breaks or non-ASCII characters in it"))
            headers["x-api-key"] = self.key
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        if body is not None:
            content = _json(body)
        if lines is not None:
            headers["content-type"] = "application/x-ndjson"
            content = b"\n".join(_json(line) for line in lines)
        elif content is not None:
            headers["content-type"] = "application/json"
        params = {name: _query_value(value) for name, value in given(query or {}).items()}
        extensions = {"timeout": httpx.Timeout(timeout).as_dict()}
        try:
            return httpx.Request(
                method, self.url + path, params=params, headers=headers, content=content, extensions=extensions
            )
        except (httpx.InvalidURL, UnicodeError, TypeError) as error:
            raise unreachable(self, error) from error


def given(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _json(value: object) -> bytes:
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _query_value(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def unreachable(connection: Connection, error: Exception) -> WhetstoneError:
    """Why no answer came: httpx failed, or there was nothing that it could send."""
    why = str(error) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        return WhetstoneError(f"No answer from {connection.shown} in time ({why})", code="timeout", retryable=True)
    return WhetstoneError(f"Cannot reach {connection.shown}: {why}", code="unreachable", retryable=True)


def answer_of(response: httpx.Response) -> Any:
    """The JSON of a 2xx answer. Anything else is an error, including what a proxy answers on its own."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and isinstance(body, dict):
        return body
    raise _error_of(response, body if isinstance(body, dict) else {})


def _error_of(response: httpx.Response, body: Mapping[str, Any]) -> WhetstoneError:
    status = response.status_code
    operation = f"{response.request.method} {response.request.url.path}"
    retry_after = _seconds(response.headers.get("retry-after"))
    request_id = response.headers.get("x-request-id")

    def error(code: str, message: str, retryable: bool) -> WhetstoneError:
        return WhetstoneError(
            f"{operation}: {status} {message}",
            code=code,
            retryable=retryable,
            status=status,
            retry_after=retry_after,
            request_id=request_id,
        )

    detail, code, message = body.get("detail"), body.get("error"), body.get("message")
    if status == 422 and isinstance(detail, list):
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc']))}: {problem.get('msg')}"
            for problem in detail
            if isinstance(problem, dict) and isinstance(problem.get("loc"), list)
        )
        return error("invalid", problems, False)
    if status >= 400 and isinstance(code, str) and isinstance(message, str):
        hint = body.get("hint")
        said = f"{message}. {hint}" if isinstance(hint, str) else message
        return error(code, f"{code}: {said}", status in (408, 429, 503) or retry_after is not None)
    retryable = status < 400 or status >= 500 or status in (408, 429)
    what = "a redirect" if 300 <= status < 400 else "not an answer from Whetstone"
    return error("unexpected_answer", f"{what}. Is something else at this address?", retryable)


def _seconds(header: str | None) -> float | None:
    """Of Retry-After: seconds or a date."""
    if not header or not header.strip():
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass  # A date.
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time())
    except (ValueError, TypeError):
        return None
