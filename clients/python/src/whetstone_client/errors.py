from __future__ import annotations


class WhetstoneError(Exception):
    """Why a call failed."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        retryable: bool,
        status: int | None = None,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The server's `error`, such as `invalid_api_key` or `rate_limited`; `invalid` for a 422. Without a proper
        #: answer: `unreachable`, `timeout` or `unexpected_answer`, as from a proxy.
        self.code = code
        #: Whether the same call may succeed later.
        self.retryable = retryable
        #: Of the answer; None if there was none.
        self.status = status
        #: Seconds that the server asks to wait.
        self.retry_after = retry_after
        #: Quote it to the operators.
        self.request_id = request_id

    @property
    def refused(self) -> bool:
        """The server refuses the key, or the key may not do this, or not in this tenant."""
        return self.status in (401, 403)
