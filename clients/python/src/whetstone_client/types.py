"""Written by generate.py from /openapi.json. Do not edit."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


class ServiceStatus(TypedDict):
    status: Literal["ok"]
    service: str
    version: str


class _ErrorRequired(TypedDict):
    # For programs.
    error: str
    # For people.
    message: str
    # Same as the `x-request-id` header. Quote it to the operators.
    request_id: str


class Error(_ErrorRequired, total=False):
    # What to do about it, if that is known.
    hint: str


class _AgentInputRequired(TypedDict):
    # The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key
    # of another account is refused with 403.
    tenant_id: str
    # The task, with at least one non-blank character. At most 256 KiB together with `context`.
    input_text: str


class AgentInput(_AgentInputRequired, total=False):
    """A task that an agent is about to work on."""

    # Further facts about the task, which help to find relevant lessons.
    context: dict[str, str] | None
    # The kind of agent that asks. Lessons from agents of its kind are preferred.
    agent_type: str | None


class Recommendation(TypedDict):
    """A lesson from past runs, or several that agree."""

    # Stable id of the lesson: the same lesson always has the same id, whatever its wording.
    id: str
    kind: Literal["strategy", "pitfall", "recovery"]
    title: str
    # As it appears in `response`, example included.
    text: str
    # Cosine similarity of its task to yours.
    similarity: float
    # Number of distinct runs that agree.
    support: int
    # Jobs of these runs. If several runs teach the same thing, only the latest may be listed.
    source_job_ids: list[str]


class Candidate(TypedDict):
    """A lesson that was considered for an answer, and what became of it."""

    # The lesson's id.
    id: str
    kind: Literal["strategy", "pitfall", "recovery"]
    title: str
    # The task that it was learnt at.
    task: str
    # Cosine similarity of its task to yours.
    similarity: float
    # Number of distinct runs that were found.
    support: int
    told: bool
    # Why it was told or not, for programs.
    reason: str
    # The same for people.
    because: str


class _EnhancedResponseMetadataRequired(TypedDict):
    # How likely the recommendations are to apply.
    confidence_score: float
    # As sent.
    agent_type: str | None
    # Cite it in `metadata.enhancement_id` when you upload the run, so that its outcome counts.
    enhancement_id: str
    recommendations: list[Recommendation]


class EnhancedResponseMetadata(_EnhancedResponseMetadataRequired, total=False):
    # With `explain=true`: every lesson that was considered, nearest first.
    explanation: list[Candidate]
    # Present if recommendations were withheld at random, to measure what they are worth. Cite the `enhancement_id`
    # all the same.
    holdout: Literal[True]


class EnhancedResponse(TypedDict):
    # Give this to the agent in place of its input: the input, unchanged and first, followed by the recommendations.
    # If there is nothing relevant to say, just the input.
    response: str
    metadata: EnhancedResponseMetadata


class ValidationError(TypedDict):
    # Where: `body`, `query` or `path`, then field names and array indices.
    loc: list[str | int]
    # For people.
    msg: str
    # For programs.
    type: str


class HTTPValidationError(TypedDict):
    """Every problem at once."""

    detail: list[ValidationError]


class _AgentTurnRequired(TypedDict):
    # Turns are ordered by this number; gaps are fine.
    turn: int
    # Text. Any other JSON value except null is accepted and kept as compact JSON.
    inputs: str | float | bool | dict[str, Any] | list[Any]
    # Text. Any other JSON value except null is accepted and kept as compact JSON.
    decision: str | float | bool | dict[str, Any] | list[Any]


class AgentTurn(_AgentTurnRequired, total=False):
    """One step of an agent: what it saw, what it did, what came back."""

    # Text. Any other JSON value is accepted and kept as compact JSON.
    memory: str | None | float | bool | dict[str, Any] | list[Any]
    # Text. Any other JSON value is accepted and kept as compact JSON.
    result: str | None | float | bool | dict[str, Any] | list[Any]


class _AgentKnowledgeUploadRequired(TypedDict):
    # The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key
    # of another account is refused with 403.
    tenant_id: str
    # The task that the agent was given.
    query: str
    turns: list[AgentTurn]


class AgentKnowledgeUpload(_AgentKnowledgeUploadRequired, total=False):
    """One run of an agent, to learn from. Unknown fields are ignored; an optional field that is null counts as
    absent."""

    # Whether the run succeeded. Also accepts 1 and 0, and true, false, yes, no, on, off, 1, 0 as text in any case.
    # Leave it out, or null, if unknown.
    success: bool | Literal[0, 1] | str | None
    # The kind of agent that made the run.
    agent_type: str | None
    # When the run happened. ISO 8601 with T or a space, with or without fractional seconds, with Z, an offset or no
    # time zone (UTC), as Python, JavaScript and Go print it.
    timestamp: str | None
    # Any JSON. `enhancement_id` cites the recommendations that the agent was given.
    metadata: dict[str, Any] | None


class Acknowledgement(TypedDict):
    """The upload is durable and its job exists."""

    status: Literal["accepted"]
    message: str
    # As sent.
    tenant_id: str
    job_id: str


class AcceptedLine(TypedDict):
    """The upload is durable and its job exists."""

    # The number of the line; blank ones count too.
    line: int
    status: Literal["accepted"]
    job_id: str


class InvalidLine(TypedDict):
    """Not accepted: what `POST /store_knowledge` would answer with 422, or with 413 if the line is too long."""

    # The number of the line; blank ones count too.
    line: int
    status: Literal["invalid"]
    detail: list[ValidationError]


class ForbiddenLine(TypedDict):
    """Not accepted: the `tenant_id` is a key of another account."""

    # The number of the line; blank ones count too.
    line: int
    status: Literal["forbidden"]
    error: Literal["tenant_forbidden"]
    message: str


class FailedLine(TypedDict):
    """It could not be queued, or not in time. Send it again, with the same `Idempotency-Key`."""

    # The number of the line; blank ones count too.
    line: int
    status: Literal["failed"]
    error: Literal["queueing_failed"]


LineResult = Union[AcceptedLine, InvalidLine, ForbiddenLine, FailedLine]


class BatchResult(TypedDict):
    # How many lines are not blank.
    lines: int
    # How many of them were accepted.
    accepted: int
    # One for each such line, in order.
    results: list[LineResult]


class DeleteResultMatche(TypedDict):
    id: str
    intent: str
    similarity: float


class _DeleteResultRequired(TypedDict):
    # In a dry run, how many would be deleted.
    deleted_count: int
    status: str


class DeleteResult(_DeleteResultRequired, total=False):
    # Dry run only: how many insights are less similar than the threshold and would stay.
    remaining_count: int
    # Dry run only: up to 20 of the insights that would be deleted, least similar first.
    matches: list[DeleteResultMatche]


class EraseResult(TypedDict):
    # Number of insights deleted.
    deleted_count: int
    status: str


class Collection(TypedDict):
    # Null for the default collection, and for collections last written before names were stored.
    tenant_id: str | None
    # The collection that the account's keys name.
    default: bool
    insights: int
    # Runs that `GET /runs` lists: those of about 30 days.
    runs: int
    # UTC. Of the latest of these runs.
    last_upload_at: str | None
    review: Literal["none", "required"]
    # Null: the server's.
    holdout_share: float | None
    # Null: the server's.
    retention_days: int | None


class CollectionList(TypedDict):
    collections: list[Collection]
    # Send it as `cursor` to get the next page. Null on the last one.
    next_cursor: str | None


class CollectionChange(TypedDict, total=False):
    """Settings of a collection: at least one. What is absent or null stays as it is."""

    # `required`: only lessons that were approved, pinned or written by a person are told.
    review: Literal["none", "required"] | None
    # Share of answers with recommendations that get none, to measure what recommendations are worth. Replaces the
    # server's `WHETSTONE_HOLDOUT_SHARE`.
    holdout_share: float | None
    # Insights that no run has confirmed for so long are forgotten; 0: never. Replaces the server's
    # `WHETSTONE_RETENTION_DAYS`.
    retention_days: int | None


class _CollectionSettingsRequired(TypedDict):
    review: Literal["none", "required"]


class CollectionSettings(_CollectionSettingsRequired, total=False):
    # Absent: the server's.
    holdout_share: float
    # Absent: the server's.
    retention_days: int


class _ProcessingJobRequired(TypedDict):
    status: Literal["processing"]
    # For people. Says why there was nothing to learn, or what you can do about a failure.
    message: str
    job_id: str


class ProcessingJob(_ProcessingJobRequired, total=False):
    """Not finished yet. Poll again after `Retry-After` seconds."""

    # UTC, six fractional digits, no time zone.
    created_at: str
    # UTC, six fractional digits, no time zone.
    started_at: str


class _CompletedJobRequired(TypedDict):
    status: Literal["completed"]
    # For people. Says why there was nothing to learn, or what you can do about a failure.
    message: str
    job_id: str
    # UTC, six fractional digits, no time zone.
    created_at: str
    # UTC, six fractional digits, no time zone.
    completed_at: str
    # Number of lessons stored.
    insights_stored: int
    outcome: Literal["stored", "nothing_to_learn", "deleted"]


class CompletedJob(_CompletedJobRequired, total=False):
    # UTC, six fractional digits, no time zone.
    started_at: str


class _FailedJobRequired(TypedDict):
    status: Literal["failed"]
    # For people. Says why there was nothing to learn, or what you can do about a failure.
    message: str
    job_id: str
    # UTC, six fractional digits, no time zone.
    failed_at: str
    # Encrypted: only the operators of the service can read it.
    error_message: str
    # What to pass on to the operators.
    note: str


class FailedJob(_FailedJobRequired, total=False):
    """Also contains a copy of itself under its `job_id`."""

    # UTC, six fractional digits, no time zone.
    created_at: str
    # UTC, six fractional digits, no time zone.
    started_at: str


JobRecord = Union[ProcessingJob, CompletedJob, FailedJob]


class _FeedbackRequired(TypedDict):
    # The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key
    # of another account is refused with 403.
    tenant_id: str
    # The `enhancement_id` of the answer.
    enhancement_id: str
    # Whether the run succeeded. Also accepts 1 and 0, and true, false, yes, no, on, off, 1, 0 as text in any case.
    success: bool | Literal[0, 1] | str


class Feedback(_FeedbackRequired, total=False):
    """The outcome of a run that used an `enhance_task` answer."""

    # Why, in the words of whoever knows. Told with the lessons.
    note: str | None


class FeedbackResult(TypedDict):
    # False if the answer already has an outcome, had no recommendations, or all of them have been deleted.
    counted: bool
    status: str


class Run(TypedDict):
    """An upload and what came of it."""

    job_id: str
    # UTC. Null for a job with an `Idempotency-Key` that has not started.
    accepted_at: str | None
    status: Literal["processing", "completed", "failed"]
    # The task, or its first 1,000 characters. Null until the job ends, if the run was deleted, and for uploads that
    # were not encrypted.
    query: str | None
    agent_type: str | None
    # As reported by the caller; null if not reported.
    success: bool | None
    # How many lessons were learnt from it.
    lessons: int


class RunList(TypedDict):
    runs: list[Run]
    # Send it as `cursor` to get the next page. Null on the last one.
    next_cursor: str | None


class RunDetailsTimeline(TypedDict):
    event: Literal["accepted", "started", "learnt", "stored", "nothing_learnt", "deleted", "failed"]
    # UTC, six fractional digits, no time zone.
    at: str


class RunDetailsTrail(TypedDict):
    action: str
    outcome: Literal["ok", "failed", "unknown"]


class RunDetailsLesson(TypedDict):
    id: str
    title: str


class RunDetails(TypedDict):
    job_id: str
    # UTC. Null for a job with an `Idempotency-Key` that has not started.
    accepted_at: str | None
    status: Literal["processing", "completed", "failed"]
    # The task, or its first 1,000 characters. Null until the job ends, if the run was deleted, and for uploads that
    # were not encrypted.
    query: str | None
    agent_type: str | None
    # As reported by the caller; null if not reported.
    success: bool | None
    timeline: list[RunDetailsTimeline]
    # What the agent did; of a long run the first and the last actions.
    trail: list[RunDetailsTrail]
    # Those of its lessons that still exist, with their present titles.
    lessons: list[RunDetailsLesson]
    # Why nothing was learnt, why the job failed, or why its details are hidden.
    reason: str | None


class _LessonRequired(TypedDict):
    # The `id` of its recommendations.
    id: str
    kind: Literal["strategy", "pitfall", "recovery"]
    title: str
    text: str
    # `pending`: not approved yet, in a collection that requires review.
    state: Literal["active", "muted", "pinned", "approved", "rejected", "pending"]
    # What made it.
    origin: Literal["reflector", "model", "person"]
    # Number of distinct runs that taught it.
    support: int
    # Number of runs that were told it and succeeded.
    helped: int
    # Number of runs that were told it and failed.
    harmed: int
    # UTC, six fractional digits, no time zone.
    first_seen: str
    # UTC, six fractional digits, no time zone.
    last_seen: str


class Lesson(_LessonRequired, total=False):
    """What `enhance_task` tells: one or more insights that say the same."""

    applies_when: str
    example: str
    agent_type: str


class _LessonListRequired(TypedDict):
    lessons: list[Lesson]


class LessonList(_LessonListRequired, total=False):
    # Send it to get the next page. Absent on the last one.
    cursor: str


class _NewLessonRequired(TypedDict):
    # The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key
    # of another account is refused with 403.
    tenant_id: str
    # The task this lesson applies to, worded as a user would give it.
    applies_when: str
    # What to do, in a sentence or two.
    text: str


class NewLesson(_NewLessonRequired, total=False):
    """A lesson written by a person."""

    # The beginning of the text, if absent.
    title: str | None
    # What to do, as the agent would write it.
    example: str | None
    # The kind of agent that it is for. All kinds, if absent.
    agent_type: str | None


class _LessonEvidenceStepRequired(TypedDict):
    turn: int
    action: str
    outcome: Literal["ok", "error", "unknown"]


class LessonEvidenceStep(_LessonEvidenceStepRequired, total=False):
    # From its result.
    note: str


class LessonEvidence(TypedDict):
    job_id: str
    task: str
    # UTC, six fractional digits, no time zone.
    accepted_at: str
    outcome: Literal["success", "failure", "unknown"]
    # The caller did not say how it ended; Whetstone inferred it.
    judged: bool
    # Runs that this one stands for, itself included.
    runs: int
    steps: list[LessonEvidenceStep]


class _LessonDecisionRequired(TypedDict):
    # Who decided: the id of the key.
    key_id: str
    # UTC, six fractional digits, no time zone.
    decided_at: str


class LessonDecision(_LessonDecisionRequired, total=False):
    state: Literal["active", "muted", "pinned", "approved", "rejected"]
    title: str
    text: str
    example: str
    note: str


class LessonVotes(TypedDict):
    # UTC.
    date: str
    helped: int
    harmed: int


class LessonNote(TypedDict):
    # UTC, six fractional digits, no time zone.
    given_at: str
    success: bool
    note: str


class _LessonDetailsRequired(TypedDict):
    # The `id` of its recommendations.
    id: str
    kind: Literal["strategy", "pitfall", "recovery"]
    title: str
    text: str
    # `pending`: not approved yet, in a collection that requires review.
    state: Literal["active", "muted", "pinned", "approved", "rejected", "pending"]
    # What made it.
    origin: Literal["reflector", "model", "person"]
    # Number of distinct runs that taught it.
    support: int
    # Number of runs that were told it and succeeded.
    helped: int
    # Number of runs that were told it and failed.
    harmed: int
    # UTC, six fractional digits, no time zone.
    first_seen: str
    # UTC, six fractional digits, no time zone.
    last_seen: str
    # Runs that taught it, the latest first.
    evidence: list[LessonEvidence]
    # Runs at the same tasks that ended otherwise.
    against: list[LessonEvidence]
    # What people decided, the latest first.
    decisions: list[LessonDecision]
    # `helped` and `harmed` per day, newest first, for the last 90 days that have votes.
    votes: list[LessonVotes]
    # The latest notes of feedback, the latest first.
    notes: list[LessonNote]


class LessonDetails(_LessonDetailsRequired, total=False):
    applies_when: str
    example: str
    agent_type: str


class LessonChange(TypedDict, total=False):
    """A decision about a lesson: at least one field. What is absent stays as it is."""

    # `muted`: never told, nor whatever says the same. `pinned`: told first where it is relevant. `approved` and
    # `rejected`: for collections that require review. `active`: none of these.
    state: Literal["active", "muted", "pinned", "approved", "rejected"] | None
    # Replaces the learnt title. `null` brings the learnt one back.
    title: str | None
    # Replaces the learnt text. `null` brings the learnt one back.
    text: str | None
    # Replaces the learnt example. `null` brings the learnt one back.
    example: str | None
    # Why.
    note: str | None


class _ApiKeyRequired(TypedDict):
    # The part of the key after `wst_`.
    key_id: str
    scopes: list[Literal["ask", "record", "curate", "admin"]]
    trust: Literal["low", "normal", "high"]
    # `ending`: replaced by another key, and revoked from `effective_at` on.
    status: Literal["active", "ending", "expired", "revoked"]
    # UTC, six fractional digits, no time zone.
    issued_at: str
    # Who approved it: the id of the key that issued it, or what an operator wrote.
    approved_by: str
    reason: str


class ApiKey(_ApiKeyRequired, total=False):
    """What is known of a key. The key itself is not stored."""

    # UTC, six fractional digits, no time zone.
    expires_at: str
    # UTC, six fractional digits, no time zone.
    revoked_at: str
    # UTC, six fractional digits, no time zone.
    effective_at: str
    revocation_reason: str
    # The id of the key that revoked it; absent if an operator did.
    revoked_by: str


class KeyList(TypedDict):
    # All keys ever issued to the account, oldest first.
    keys: list[ApiKey]


class _KeyRequestRequired(TypedDict):
    # Operators issue keys with the scope `admin`, with `whetstone keys issue`.
    scopes: list[Literal["ask", "record", "curate"]]


class KeyRequest(_KeyRequestRequired, total=False):
    """What a new key may do, and for how long. It never expires unless `expires_in_days` or `expires_at` is set."""

    # Days from now.
    expires_in_days: int | None
    # In the future, at most ten years from now. Not together with `expires_in_days`. ISO 8601 with T or a space,
    # with or without fractional seconds, with Z, an offset or no time zone (UTC), as Python, JavaScript and Go
    # print it.
    expires_at: str | None
    # Trust level of its uploads; `normal` if absent. Lessons from low-trust keys are held until others confirm
    # them.
    trust: Literal["low", "normal", "high"] | None
    # Why, for the audit record. One line of text.
    reason: str | None


class _IssuedKeyRequired(TypedDict):
    # The key. Shown only this once.
    key: str
    # The part of the key after `wst_`.
    key_id: str
    scopes: list[Literal["ask", "record", "curate", "admin"]]
    trust: Literal["low", "normal", "high"]
    # `ending`: replaced by another key, and revoked from `effective_at` on.
    status: Literal["active", "ending", "expired", "revoked"]
    # UTC, six fractional digits, no time zone.
    issued_at: str
    # Who approved it: the id of the key that issued it, or what an operator wrote.
    approved_by: str
    reason: str


class IssuedKey(_IssuedKeyRequired, total=False):
    # UTC, six fractional digits, no time zone.
    expires_at: str
    # UTC, six fractional digits, no time zone.
    revoked_at: str
    # UTC, six fractional digits, no time zone.
    effective_at: str
    revocation_reason: str
    # The id of the key that revoked it; absent if an operator did.
    revoked_by: str


class _AuditEntryRequired(TypedDict):
    # UTC, six fractional digits, no time zone.
    at: str
    # Who decided: the id of the key. Null: an operator.
    key_id: str | None
    action: Literal["key.issued", "key.revoked", "lesson.changed", "lesson.written", "lesson.deleted", "knowledge.deleted", "collection.changed", "collection.erased"]
    # The id of the key or the lesson.
    subject: str | None
    # `failed`: it was refused or broke off; part of a deletion may have happened. `unknown`: not told.
    outcome: Literal["done", "failed", "unknown"]
    # What was decided, such as the scopes of a key or the state of a lesson.
    details: dict[str, Any]


class AuditEntry(_AuditEntryRequired, total=False):
    """A decision. No text of lessons or uploads, no intent and no key."""

    # The collection; absent for keys. Null: the account's default collection, or its root secret is gone.
    tenant_id: str | None


class AuditList(TypedDict):
    # Newest first.
    entries: list[AuditEntry]
    # Null on the last page.
    next_cursor: str | None


class KeyUsage(TypedDict):
    key_id: str
    # Answers of `enhance_task`.
    answers: int
    # Of these, how many came without recommendations, held-out ones included.
    empty_answers: int
    # Accepted uploads.
    uploads: int
    # Of the bodies of accepted uploads, unpacked.
    bytes: int
    # Requests that were answered with 4xx or 503.
    refusals: int


class UsageDay(TypedDict):
    # UTC.
    date: str
    # Those with requests, by id.
    keys: list[KeyUsage]


class Usage(TypedDict):
    # Those with requests, the latest first.
    days: list[UsageDay]
    # There are more than 10,000 pairs of a day and a key; the oldest are missing.
    truncated: bool


class UpliftWith(TypedDict):
    """Answers with recommendations."""

    # Answers with a reported outcome.
    runs: int
    successes: int
    # Null if there are no runs.
    rate: float | None


class UpliftWithout(TypedDict):
    """Answers that were held out at random."""

    # Answers with a reported outcome.
    runs: int
    successes: int
    # Null if there are no runs.
    rate: float | None


Uplift = TypedDict(
    "Uplift",
    {
        "with": UpliftWith,
        "without": UpliftWithout,
        "difference": float | None,
        "interval": list[float] | None,
    },
)
