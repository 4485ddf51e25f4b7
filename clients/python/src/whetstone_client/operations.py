"""Written by generate.py from /openapi.json. Do not edit."""

# ruff: noqa
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping
from urllib.parse import quote

from . import types
from .transport import given

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Operations:
    """One method for each operation of the REST interface. Each sends once and raises a `WhetstoneError`."""

    tenant: str
    agent_type: str | None
    timeout: float

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        lines: Iterable[Mapping[str, object]] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        raise NotImplementedError

    def get_service_status(
        self,
        *,
        timeout: float | None = None,
    ) -> types.ServiceStatus:
        """Check that the service answers and the key is valid."""
        answer: types.ServiceStatus = self._call(
            "GET",
            "/",
            timeout=timeout,
        )
        return answer

    def enhance_task(
        self,
        input_text: str,
        *,
        explain: bool | None = None,
        tenant: str | None = None,
        context: dict[str, str] | None = None,
        agent_type: str | None = None,
        timeout: float | None = None,
    ) -> types.EnhancedResponse:
        """Before a task: get it back with recommendations from past runs."""
        answer: types.EnhancedResponse = self._call(
            "POST",
            "/enhance_task",
            query={"explain": explain},
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "input_text": input_text, "context": context, "agent_type": self.agent_type if agent_type is None else agent_type}),
            timeout=timeout,
        )
        return answer

    def store_knowledge(
        self,
        query: str,
        turns: Iterable[types.AgentTurn],
        *,
        tenant: str | None = None,
        success: bool | Literal[0, 1] | str | None = None,
        agent_type: str | None = None,
        timestamp: str | None = None,
        metadata: dict[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Acknowledgement:
        """After a task: upload the run, to learn from it."""
        answer: types.Acknowledgement = self._call(
            "POST",
            "/store_knowledge",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "query": query, "turns": list(turns), "success": success, "agent_type": self.agent_type if agent_type is None else agent_type, "timestamp": timestamp, "metadata": metadata}),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    def store_knowledge_batch(
        self,
        uploads: Iterable[types.AgentKnowledgeUpload],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.BatchResult:
        """After many tasks: upload their runs in one request."""
        answer: types.BatchResult = self._call(
            "POST",
            "/store_knowledge/batch",
            lines=uploads,
            idempotency_key=idempotency_key,
            timeout=120.0 if timeout is None else timeout,
        )
        return answer

    def delete_by_intent(
        self,
        intent: str,
        *,
        tenant: str | None = None,
        similarity_threshold: float | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> types.DeleteResult:
        """Delete what was learned about a kind of task."""
        answer: types.DeleteResult = self._call(
            "POST",
            "/delete_by_intent",
            query={"tenant_id": self.tenant if tenant is None else tenant, "intent": intent, "similarity_threshold": similarity_threshold, "dry_run": dry_run},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    def erase_collection(
        self,
        tenant_id: str,
        confirm: str,
        *,
        timeout: float | None = None,
    ) -> types.EraseResult:
        """Erase everything in a collection."""
        answer: types.EraseResult = self._call(
            "DELETE",
            "/collections",
            query={"tenant_id": tenant_id, "confirm": confirm},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    def list_collections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.CollectionList:
        """List the account's collections."""
        answer: types.CollectionList = self._call(
            "GET",
            "/collections",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def change_collection(
        self,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
        **change: Unpack[types.CollectionChange],
    ) -> types.CollectionSettings:
        """Change the settings of a collection."""
        answer: types.CollectionSettings = self._call(
            "PATCH",
            "/collections",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            body=dict(change),
            timeout=timeout,
        )
        return answer

    def get_knowledge_status(
        self,
        job_id: str,
        *,
        wait: int | None = None,
        timeout: float | None = None,
    ) -> types.JobRecord:
        """Get the status of an upload's job."""
        answer: types.JobRecord = self._call(
            "GET",
            f"/knowledge_status/{quote(job_id, safe='')}",
            query={"wait": wait},
            timeout=self.timeout + (wait or 0) if timeout is None else timeout,
        )
        return answer

    def give_feedback(
        self,
        enhancement_id: str,
        success: bool | Literal[0, 1] | str,
        *,
        tenant: str | None = None,
        note: str | None = None,
        timeout: float | None = None,
    ) -> types.FeedbackResult:
        """After a task: tell how it ended, without uploading the run."""
        answer: types.FeedbackResult = self._call(
            "POST",
            "/feedback",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "enhancement_id": enhancement_id, "success": success, "note": note}),
            timeout=timeout,
        )
        return answer

    def list_runs(
        self,
        *,
        tenant: str | None = None,
        status: Literal["processing", "completed", "failed"] | None = None,
        success: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.RunList:
        """List the runs of a collection."""
        answer: types.RunList = self._call(
            "GET",
            "/runs",
            query={"tenant_id": self.tenant if tenant is None else tenant, "status": status, "success": success, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def get_run(
        self,
        job_id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.RunDetails:
        """Get a run: what happened, and what was learnt from it."""
        answer: types.RunDetails = self._call(
            "GET",
            f"/runs/{quote(job_id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer

    def list_lessons(
        self,
        *,
        tenant: str | None = None,
        q: str | None = None,
        kind: Literal["strategy", "pitfall", "recovery"] | None = None,
        state: Literal["active", "muted", "pinned", "approved", "rejected", "pending"] | None = None,
        agent_type: str | None = None,
        sort: Literal["recent", "support", "harm", "relevance"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.LessonList:
        """List the lessons of a collection."""
        answer: types.LessonList = self._call(
            "GET",
            "/lessons",
            query={"tenant_id": self.tenant if tenant is None else tenant, "q": q, "kind": kind, "state": state, "agent_type": agent_type, "sort": sort, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def write_lesson(
        self,
        applies_when: str,
        text: str,
        *,
        tenant: str | None = None,
        title: str | None = None,
        example: str | None = None,
        agent_type: str | None = None,
        timeout: float | None = None,
    ) -> types.Lesson:
        """Write a lesson."""
        answer: types.Lesson = self._call(
            "POST",
            "/lessons",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "applies_when": applies_when, "text": text, "title": title, "example": example, "agent_type": agent_type}),
            timeout=timeout,
        )
        return answer

    def get_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.LessonDetails:
        """Get a lesson with its evidence."""
        answer: types.LessonDetails = self._call(
            "GET",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer

    def change_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
        **change: Unpack[types.LessonChange],
    ) -> types.Lesson:
        """Mute, pin, approve, reject or edit a lesson."""
        answer: types.Lesson = self._call(
            "PATCH",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            body=dict(change),
            timeout=timeout,
        )
        return answer

    def delete_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.EraseResult:
        """Delete a lesson with its evidence."""
        answer: types.EraseResult = self._call(
            "DELETE",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    def list_keys(
        self,
        *,
        timeout: float | None = None,
    ) -> types.KeyList:
        """List the account's keys."""
        answer: types.KeyList = self._call(
            "GET",
            "/keys",
            timeout=timeout,
        )
        return answer

    def issue_key(
        self,
        scopes: list[Literal["ask", "record", "curate"]],
        *,
        expires_in_days: int | None = None,
        expires_at: str | None = None,
        trust: Literal["low", "normal", "high"] | None = None,
        reason: str | None = None,
        timeout: float | None = None,
    ) -> types.IssuedKey:
        """Issue a key for the account."""
        answer: types.IssuedKey = self._call(
            "POST",
            "/keys",
            body=given({"scopes": scopes, "expires_in_days": expires_in_days, "expires_at": expires_at, "trust": trust, "reason": reason}),
            timeout=timeout,
        )
        return answer

    def revoke_key(
        self,
        key_id: str,
        *,
        reason: str | None = None,
        timeout: float | None = None,
    ) -> types.ApiKey:
        """Revoke a key of the account."""
        answer: types.ApiKey = self._call(
            "DELETE",
            f"/keys/{quote(key_id, safe='')}",
            query={"reason": reason},
            timeout=timeout,
        )
        return answer

    def list_audit(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.AuditList:
        """List who decided what in the account."""
        answer: types.AuditList = self._call(
            "GET",
            "/audit",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    def get_usage(
        self,
        *,
        days: int | None = None,
        timeout: float | None = None,
    ) -> types.Usage:
        """See what the keys of the account did, day by day."""
        answer: types.Usage = self._call(
            "GET",
            "/usage",
            query={"days": days},
            timeout=timeout,
        )
        return answer

    def get_uplift(
        self,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.Uplift:
        """See how much more often runs succeed with recommendations."""
        answer: types.Uplift = self._call(
            "GET",
            "/uplift",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer


class AsyncOperations:
    """One method for each operation of the REST interface. Each sends once and raises a `WhetstoneError`."""

    tenant: str
    agent_type: str | None
    timeout: float

    async def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        lines: Iterable[Mapping[str, object]] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        raise NotImplementedError

    async def get_service_status(
        self,
        *,
        timeout: float | None = None,
    ) -> types.ServiceStatus:
        """Check that the service answers and the key is valid."""
        answer: types.ServiceStatus = await self._call(
            "GET",
            "/",
            timeout=timeout,
        )
        return answer

    async def enhance_task(
        self,
        input_text: str,
        *,
        explain: bool | None = None,
        tenant: str | None = None,
        context: dict[str, str] | None = None,
        agent_type: str | None = None,
        timeout: float | None = None,
    ) -> types.EnhancedResponse:
        """Before a task: get it back with recommendations from past runs."""
        answer: types.EnhancedResponse = await self._call(
            "POST",
            "/enhance_task",
            query={"explain": explain},
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "input_text": input_text, "context": context, "agent_type": self.agent_type if agent_type is None else agent_type}),
            timeout=timeout,
        )
        return answer

    async def store_knowledge(
        self,
        query: str,
        turns: Iterable[types.AgentTurn],
        *,
        tenant: str | None = None,
        success: bool | Literal[0, 1] | str | None = None,
        agent_type: str | None = None,
        timestamp: str | None = None,
        metadata: dict[str, Any] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Acknowledgement:
        """After a task: upload the run, to learn from it."""
        answer: types.Acknowledgement = await self._call(
            "POST",
            "/store_knowledge",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "query": query, "turns": list(turns), "success": success, "agent_type": self.agent_type if agent_type is None else agent_type, "timestamp": timestamp, "metadata": metadata}),
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return answer

    async def store_knowledge_batch(
        self,
        uploads: Iterable[types.AgentKnowledgeUpload],
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.BatchResult:
        """After many tasks: upload their runs in one request."""
        answer: types.BatchResult = await self._call(
            "POST",
            "/store_knowledge/batch",
            lines=uploads,
            idempotency_key=idempotency_key,
            timeout=120.0 if timeout is None else timeout,
        )
        return answer

    async def delete_by_intent(
        self,
        intent: str,
        *,
        tenant: str | None = None,
        similarity_threshold: float | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> types.DeleteResult:
        """Delete what was learned about a kind of task."""
        answer: types.DeleteResult = await self._call(
            "POST",
            "/delete_by_intent",
            query={"tenant_id": self.tenant if tenant is None else tenant, "intent": intent, "similarity_threshold": similarity_threshold, "dry_run": dry_run},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    async def erase_collection(
        self,
        tenant_id: str,
        confirm: str,
        *,
        timeout: float | None = None,
    ) -> types.EraseResult:
        """Erase everything in a collection."""
        answer: types.EraseResult = await self._call(
            "DELETE",
            "/collections",
            query={"tenant_id": tenant_id, "confirm": confirm},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    async def list_collections(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.CollectionList:
        """List the account's collections."""
        answer: types.CollectionList = await self._call(
            "GET",
            "/collections",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    async def change_collection(
        self,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
        **change: Unpack[types.CollectionChange],
    ) -> types.CollectionSettings:
        """Change the settings of a collection."""
        answer: types.CollectionSettings = await self._call(
            "PATCH",
            "/collections",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            body=dict(change),
            timeout=timeout,
        )
        return answer

    async def get_knowledge_status(
        self,
        job_id: str,
        *,
        wait: int | None = None,
        timeout: float | None = None,
    ) -> types.JobRecord:
        """Get the status of an upload's job."""
        answer: types.JobRecord = await self._call(
            "GET",
            f"/knowledge_status/{quote(job_id, safe='')}",
            query={"wait": wait},
            timeout=self.timeout + (wait or 0) if timeout is None else timeout,
        )
        return answer

    async def give_feedback(
        self,
        enhancement_id: str,
        success: bool | Literal[0, 1] | str,
        *,
        tenant: str | None = None,
        note: str | None = None,
        timeout: float | None = None,
    ) -> types.FeedbackResult:
        """After a task: tell how it ended, without uploading the run."""
        answer: types.FeedbackResult = await self._call(
            "POST",
            "/feedback",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "enhancement_id": enhancement_id, "success": success, "note": note}),
            timeout=timeout,
        )
        return answer

    async def list_runs(
        self,
        *,
        tenant: str | None = None,
        status: Literal["processing", "completed", "failed"] | None = None,
        success: bool | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.RunList:
        """List the runs of a collection."""
        answer: types.RunList = await self._call(
            "GET",
            "/runs",
            query={"tenant_id": self.tenant if tenant is None else tenant, "status": status, "success": success, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    async def get_run(
        self,
        job_id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.RunDetails:
        """Get a run: what happened, and what was learnt from it."""
        answer: types.RunDetails = await self._call(
            "GET",
            f"/runs/{quote(job_id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer

    async def list_lessons(
        self,
        *,
        tenant: str | None = None,
        q: str | None = None,
        kind: Literal["strategy", "pitfall", "recovery"] | None = None,
        state: Literal["active", "muted", "pinned", "approved", "rejected", "pending"] | None = None,
        agent_type: str | None = None,
        sort: Literal["recent", "support", "harm", "relevance"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.LessonList:
        """List the lessons of a collection."""
        answer: types.LessonList = await self._call(
            "GET",
            "/lessons",
            query={"tenant_id": self.tenant if tenant is None else tenant, "q": q, "kind": kind, "state": state, "agent_type": agent_type, "sort": sort, "limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    async def write_lesson(
        self,
        applies_when: str,
        text: str,
        *,
        tenant: str | None = None,
        title: str | None = None,
        example: str | None = None,
        agent_type: str | None = None,
        timeout: float | None = None,
    ) -> types.Lesson:
        """Write a lesson."""
        answer: types.Lesson = await self._call(
            "POST",
            "/lessons",
            body=given({"tenant_id": self.tenant if tenant is None else tenant, "applies_when": applies_when, "text": text, "title": title, "example": example, "agent_type": agent_type}),
            timeout=timeout,
        )
        return answer

    async def get_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.LessonDetails:
        """Get a lesson with its evidence."""
        answer: types.LessonDetails = await self._call(
            "GET",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer

    async def change_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
        **change: Unpack[types.LessonChange],
    ) -> types.Lesson:
        """Mute, pin, approve, reject or edit a lesson."""
        answer: types.Lesson = await self._call(
            "PATCH",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            body=dict(change),
            timeout=timeout,
        )
        return answer

    async def delete_lesson(
        self,
        id: str,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.EraseResult:
        """Delete a lesson with its evidence."""
        answer: types.EraseResult = await self._call(
            "DELETE",
            f"/lessons/{quote(id, safe='')}",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=70.0 if timeout is None else timeout,
        )
        return answer

    async def list_keys(
        self,
        *,
        timeout: float | None = None,
    ) -> types.KeyList:
        """List the account's keys."""
        answer: types.KeyList = await self._call(
            "GET",
            "/keys",
            timeout=timeout,
        )
        return answer

    async def issue_key(
        self,
        scopes: list[Literal["ask", "record", "curate"]],
        *,
        expires_in_days: int | None = None,
        expires_at: str | None = None,
        trust: Literal["low", "normal", "high"] | None = None,
        reason: str | None = None,
        timeout: float | None = None,
    ) -> types.IssuedKey:
        """Issue a key for the account."""
        answer: types.IssuedKey = await self._call(
            "POST",
            "/keys",
            body=given({"scopes": scopes, "expires_in_days": expires_in_days, "expires_at": expires_at, "trust": trust, "reason": reason}),
            timeout=timeout,
        )
        return answer

    async def revoke_key(
        self,
        key_id: str,
        *,
        reason: str | None = None,
        timeout: float | None = None,
    ) -> types.ApiKey:
        """Revoke a key of the account."""
        answer: types.ApiKey = await self._call(
            "DELETE",
            f"/keys/{quote(key_id, safe='')}",
            query={"reason": reason},
            timeout=timeout,
        )
        return answer

    async def list_audit(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> types.AuditList:
        """List who decided what in the account."""
        answer: types.AuditList = await self._call(
            "GET",
            "/audit",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
        )
        return answer

    async def get_usage(
        self,
        *,
        days: int | None = None,
        timeout: float | None = None,
    ) -> types.Usage:
        """See what the keys of the account did, day by day."""
        answer: types.Usage = await self._call(
            "GET",
            "/usage",
            query={"days": days},
            timeout=timeout,
        )
        return answer

    async def get_uplift(
        self,
        *,
        tenant: str | None = None,
        timeout: float | None = None,
    ) -> types.Uplift:
        """See how much more often runs succeed with recommendations."""
        answer: types.Uplift = await self._call(
            "GET",
            "/uplift",
            query={"tenant_id": self.tenant if tenant is None else tenant},
            timeout=timeout,
        )
        return answer
