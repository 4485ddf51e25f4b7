"""A full round with the client that openapi-python-client generates; mypy checks it against the generated types."""

from __future__ import annotations

import io
import json
import os
import uuid
from typing import TypeVar

from generated import AuthenticatedClient
from generated.api.keys import get_usage, issue_key, list_audit, list_keys, revoke_key
from generated.api.knowledge import (
    delete_by_intent,
    enhance_task,
    erase_collection,
    get_knowledge_status,
    give_feedback,
    store_knowledge,
    store_knowledge_batch,
    store_traces,
)
from generated.api.lessons import (
    change_collection,
    change_lesson,
    delete_lesson,
    get_lesson,
    get_uplift,
    list_collections,
    list_lessons,
    write_lesson,
)
from generated.api.runs import get_run, list_runs
from generated.api.service import get_service_status
from generated.models import (
    AcceptedLine,
    Acknowledgement,
    AgentInput,
    AgentKnowledgeUpload,
    AgentKnowledgeUploadMetadataType0,
    AgentTurn,
    ApiKey,
    AuditList,
    BatchResult,
    CollectionChange,
    CollectionChangeReviewType0,
    CollectionList,
    CollectionSettings,
    CollectionSettingsReview,
    CompletedJob,
    CompletedJobOutcome,
    DeleteResult,
    EnhancedResponse,
    EraseResult,
    Error,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
    Feedback,
    FeedbackResult,
    HTTPValidationError,
    InvalidLine,
    IssuedKey,
    KeyList,
    KeyRequest,
    KeyRequestScopesItem,
    Lesson,
    LessonChange,
    LessonChangeStateType0,
    LessonDetails,
    LessonDetailsState,
    LessonList,
    LessonState,
    ListLessonsKind,
    NewLesson,
    RunDetails,
    RunList,
    ServiceStatus,
    Uplift,
    Usage,
)
from generated.types import UNSET, File

T = TypeVar("T")
TENANT = f"generated-{uuid.uuid4().hex}"
TASK = "Delete all .log files larger than 10 MB under /var/tmp"


def expect(kind: type[T], answer: object) -> T:
    assert isinstance(answer, kind), answer
    return answer


def upload(query: str, metadata: AgentKnowledgeUploadMetadataType0 | None = None) -> AgentKnowledgeUpload:
    command = 'find /var/tmp -name "*.log" -size +10M -delete'
    turn = AgentTurn(turn=1, inputs=query, decision=command, result="exit code 0")
    return AgentKnowledgeUpload(TENANT, query, [turn], success=True, agent_type="shell", metadata=metadata)


def learnt(client: AuthenticatedClient, job_id: str) -> CompletedJob:
    return expect(CompletedJob, get_knowledge_status.sync(job_id, client=client, wait=30))


def main() -> None:
    address, key = os.environ["WHETSTONE_URL"], os.environ["WHETSTONE_KEY"]
    client = AuthenticatedClient(address, key, raise_on_unexpected_status=True)
    assert expect(ServiceStatus, get_service_status.sync(client=client)).status == "ok"

    # A run is uploaded, and its lesson comes back.
    told = expect(Acknowledgement, store_knowledge.sync(client=client, body=upload(TASK), idempotency_key="once"))
    again = expect(Acknowledgement, store_knowledge.sync(client=client, body=upload(TASK), idempotency_key="once"))
    assert again.job_id == told.job_id and told.tenant_id == TENANT
    job = learnt(client, told.job_id)
    assert job.outcome is CompletedJobOutcome.STORED and job.insights_stored > 0
    asks = AgentInput(TENANT, "Delete all .log files larger than 50 MB under /srv/app", agent_type="shell")
    answer = expect(EnhancedResponse, enhance_task.sync(client=client, body=asks, explain=True))
    assert answer.response.startswith(asks.input_text) and "-size +50M" in answer.response
    assert answer.metadata.recommendations[0].source_job_ids == [told.job_id]
    assert answer.metadata.explanation and answer.metadata.explanation[0].told and answer.metadata.holdout is UNSET
    enhancement_id = answer.metadata.enhancement_id
    feedback = Feedback(TENANT, enhancement_id, success=True, note="it was gone")
    assert expect(FeedbackResult, give_feedback.sync(client=client, body=feedback)).counted is True

    # Many runs at once.
    cited = AgentKnowledgeUploadMetadataType0.from_dict({"enhancement_id": enhancement_id})
    lines = [json.dumps(upload("Compress the backups", cited).to_dict()), "{}"]
    body = File(io.BytesIO("\n".join(lines).encode()))
    batch = expect(BatchResult, store_knowledge_batch.sync(client=client, body=body))
    assert (batch.lines, batch.accepted) == (2, 1)
    learnt(client, expect(AcceptedLine, batch.results[0]).job_id)
    assert expect(InvalidLine, batch.results[1]).detail[0].type_ == "missing"
    traces = ExportTraceServiceRequest.from_dict({"resourceSpans": []})
    expect(ExportTraceServiceResponse, store_traces.sync(client=client, body=traces, x_whetstone_tenant=TENANT))

    # Lessons.
    page = expect(LessonList, list_lessons.sync(client=client, tenant_id=TENANT, q=TASK, kind=ListLessonsKind.STRATEGY))
    lesson = page.lessons[0]
    assert lesson.helped == 1 and lesson.state is LessonState.ACTIVE
    mute = LessonChange(state=LessonChangeStateType0.MUTED, note="for now")
    changed = expect(Lesson, change_lesson.sync(lesson.id, client=client, body=mute, tenant_id=TENANT))
    assert changed.state is LessonState.MUTED
    details = expect(LessonDetails, get_lesson.sync(lesson.id, client=client, tenant_id=TENANT))
    assert details.state is LessonDetailsState.MUTED and told.job_id in [run.job_id for run in details.evidence]
    assert details.decisions[0].note == "for now" and details.notes[0].note == "it was gone"
    nothing = change_lesson.sync(lesson.id, client=client, body=LessonChange(), tenant_id=TENANT)
    assert expect(HTTPValidationError, nothing).detail[0].loc == ["body"]
    new = NewLesson(TENANT, "Rotate the logs", "Use logrotate.", title="Rotate")
    written = expect(Lesson, write_lesson.sync(client=client, body=new))
    assert expect(EraseResult, delete_lesson.sync(written.id, client=client, tenant_id=TENANT)).deleted_count == 1
    missing = get_lesson.sync(written.id, client=client, tenant_id=TENANT)
    assert expect(Error, missing).error == "lesson_not_found"

    # Runs and collections.
    runs = expect(RunList, list_runs.sync(client=client, tenant_id=TENANT, success=True))
    assert [run.query for run in runs.runs] == ["Compress the backups", TASK] and runs.next_cursor is None
    run = expect(RunDetails, get_run.sync(told.job_id, client=client, tenant_id=TENANT))
    assert run.lessons[0].id == lesson.id and run.trail
    review = CollectionChange(review=CollectionChangeReviewType0.REQUIRED)
    settings = expect(CollectionSettings, change_collection.sync(client=client, body=review, tenant_id=TENANT))
    assert settings.review is CollectionSettingsReview.REQUIRED
    collections = expect(CollectionList, list_collections.sync(client=client, limit=200)).collections
    assert [one.runs for one in collections if one.tenant_id == TENANT] == [2]

    # Keys, and what they did.
    asked = KeyRequest([KeyRequestScopesItem.ASK], expires_in_days=1, reason="a test")
    issued = expect(IssuedKey, issue_key.sync(client=client, body=asked))
    assert issued.key_id in [one.key_id for one in expect(KeyList, list_keys.sync(client=client)).keys]
    limited = AuthenticatedClient(address, issued.key)
    assert expect(Error, list_keys.sync(client=limited)).error == "scope_missing"
    assert expect(ApiKey, revoke_key.sync(issued.key_id, client=client, reason="done")).status == "revoked"
    entry = expect(AuditList, list_audit.sync(client=client, limit=1)).entries[0]
    assert (entry.action, entry.subject) == ("key.revoked", issued.key_id)
    assert expect(Usage, get_usage.sync(client=client, days=1)).days
    assert expect(Uplift, get_uplift.sync(client=client, tenant_id=TENANT)).with_.runs == 1

    # And it is forgotten.
    dry = expect(DeleteResult, delete_by_intent.sync(client=client, tenant_id=TENANT, intent=TASK, dry_run=True))
    assert dry.deleted_count > 0 and dry.matches and dry.matches[0].similarity >= 0.5
    gone = expect(DeleteResult, delete_by_intent.sync(client=client, tenant_id=TENANT, intent=TASK))
    assert gone.deleted_count == dry.deleted_count and gone.matches is UNSET
    after = expect(EnhancedResponse, enhance_task.sync(client=client, body=asks))
    assert after.response == asks.input_text and after.metadata.recommendations == []
    expect(EraseResult, erase_collection.sync(client=client, tenant_id=TENANT, confirm=TENANT))


if __name__ == "__main__":
    main()
