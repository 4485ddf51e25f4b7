/* Generated from /openapi.json by `npm run types`. */

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service answers and the key is valid
         * @description Any valid key may call it.
         */
        get: operations["getServiceStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enhance_task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Before a task: get it back with recommendations from past runs
         * @description Needs the scope `ask`.
         */
        post: operations["enhanceTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store_knowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * After a task: upload the run, to learn from it
         * @description Secrets in the upload are redacted before anything is stored. Learning happens in the background.
         *
         *     Needs the scope `record`.
         */
        post: operations["storeKnowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store_knowledge/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * After many tasks: upload their runs in one request
         * @description One upload of `POST /store_knowledge` in each line, as NDJSON; up to 32 MiB when unpacked and 20,000 lines, unless the operators set another size. Blank lines are skipped. The answer has one result for each line, in order, and every accepted line is durable before it. A bad line does not affect the others. Lines that say `failed` can be sent again. If the whole request fails: after 4xx or 503 nothing was accepted; after 500 nothing was queued, or the result is unknown.
         *
         *     A batch counts as one request. Its bytes, the time to read them and 4 KiB for each line count towards the limit of work. The response comes once every line has its result; wait for it before sending the next batch.
         *
         *     Needs the scope `record`.
         */
        post: operations["storeKnowledgeBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload runs as OpenTelemetry traces
         * @description OTLP over HTTP, as protobuf or JSON, up to 16 MiB when unpacked and 20,000 traces, unless the operators set another size. Reads the semantic conventions for generative AI and OpenInference; other spans are ignored. Every accepted span is durable before the answer. A trace becomes one upload a few seconds after its root span arrives, or once no more spans arrive, however often and in whatever order its spans were sent.
         *
         *     Needs the scope `record`.
         */
        post: operations["storeTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/delete_by_intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete what was learned about a kind of task
         * @description Deletes every insight of the collection whose intent is similar enough, including those of uploads that were accepted earlier and are still being processed. Use `dry_run=true` first to see what would be deleted and how much would stay. A later deletion of the same intent with the same or a lower threshold replaces an earlier one.
         *
         *     Needs the scope `curate`.
         */
        post: operations["deleteByIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's collections
         * @description The oldest first. A collection is listed from its first upload, lesson or setting until it is erased.
         *
         *     Needs the scope `curate`.
         */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        /**
         * Erase everything in a collection
         * @description Deletes all insights, runs and votes of uploads that were accepted until now. Those still being processed end with outcome `deleted`. Later uploads are kept. There is no undo.
         *
         *     Needs the scope `curate`.
         */
        delete: operations["eraseCollection"];
        options?: never;
        head?: never;
        /**
         * Change the settings of a collection
         * @description Needs the scope `curate`.
         */
        patch: operations["changeCollection"];
        trace?: never;
    };
    "/knowledge_status/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of an upload's job
         * @description With `wait` the answer comes when the job ends. A key may have 500 calls waiting at each replica; further ones are answered at once. A waiting call counts as one request.
         *
         *     Needs the scope `record`.
         */
        get: operations["getKnowledgeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * After a task: tell how it ended, without uploading the run
         * @description Counts for the recommendations of the answer, once: whichever comes first of this and an upload that cites the answer. Bodies are limited to 16 KiB.
         *
         *     Needs the scope `ask` or `record`.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a collection
         * @description The latest first, as long as job records are kept: 30 days from the end of a job. A job is listed once it has started. Runs that were deleted or erased are listed without text.
         *
         *     Needs the scope `curate`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run: what happened, and what was learnt from it
         * @description Needs the scope `curate`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lessons of a collection
         * @description Needs the scope `curate`.
         */
        get: operations["listLessons"];
        put?: never;
        /**
         * Write a lesson
         * @description It is told like any other, as `[from your team]`. Secrets in it are redacted. Bodies are limited to 16 KiB.
         *
         *     Needs the scope `curate`.
         */
        post: operations["writeLesson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lessons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a lesson with its evidence
         * @description The runs behind it, the runs that speak against it, and what people decided about it.
         *
         *     Needs the scope `curate`.
         */
        get: operations["getLesson"];
        put?: never;
        post?: never;
        /**
         * Delete a lesson with its evidence
         * @description As final as `delete_by_intent`: uploads that were accepted until now do not bring it back. What is uploaded later may teach it again; mute a lesson that should never be told.
         *
         *     Needs the scope `curate`.
         */
        delete: operations["deleteLesson"];
        options?: never;
        head?: never;
        /**
         * Mute, pin, approve, reject or edit a lesson
         * @description A decision holds for whatever teaches the same later. Secrets in texts are redacted. Bodies are limited to 16 KiB.
         *
         *     Needs the scope `curate`.
         */
        patch: operations["changeLesson"];
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's keys
         * @description Expired and revoked ones too, oldest first. The keys themselves are not stored.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Issue a key for the account
         * @description The answer shows the key, only this once. This process accepts it at once, others within a second. Bodies are limited to 16 KiB.
         *
         *     Needs the scope `admin`.
         */
        post: operations["issueKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key of the account
         * @description This process refuses the key at once, others within a second. Revoking it again changes nothing. A key cannot revoke itself.
         *
         *     Needs the scope `admin`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who decided what in the account
         * @description Decisions about keys, lessons and collections, and deletions, newest first. Kept for a year, at most 100,000.
         *
         *     Needs the scope `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what the keys of the account did, day by day
         * @description Kept for 90 days. Counts of other processes arrive within about ten seconds.
         *
         *     Needs the scope `admin`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uplift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how much more often runs succeed with recommendations
         * @description Compares answers that had recommendations with answers held out at random (`holdout_share`). An answer counts once it has an outcome: an upload that cites it and says `success`, or `POST /feedback`.
         *
         *     Needs the scope `curate`.
         */
        get: operations["getUplift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** ServiceStatus */
        ServiceStatus: {
            /** @constant */
            status: "ok";
            service: string;
            version: string;
        };
        /** Error */
        Error: {
            /** @description For programs. */
            error: string;
            /** @description For people. */
            message: string;
            /** @description What to do about it, if that is known. */
            hint?: string;
            /** @description Same as the `x-request-id` header. Quote it to the operators. */
            request_id: string;
        };
        /**
         * AgentInput
         * @description A task that an agent is about to work on.
         */
        AgentInput: {
            /** @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403. */
            tenant_id: string;
            /** @description The task, with at least one non-blank character. At most 256 KiB together with `context`. */
            input_text: string;
            /** @description Further facts about the task, which help to find relevant lessons. */
            context?: {
                [key: string]: string;
            } | null;
            /** @description The kind of agent that asks. Lessons from agents of its kind are preferred. */
            agent_type?: string | null;
        };
        /**
         * Recommendation
         * @description A lesson from past runs, or several that agree.
         */
        Recommendation: {
            /** @description Stable id of the lesson: the same lesson always has the same id, whatever its wording. */
            id: string;
            /** @enum {string} */
            kind: "strategy" | "pitfall" | "recovery";
            title: string;
            /** @description As it appears in `response`, example included. */
            text: string;
            /** @description Cosine similarity of its task to yours. */
            similarity: number;
            /** @description Number of distinct runs that agree. */
            support: number;
            /** @description Jobs of these runs. If several runs teach the same thing, only the latest may be listed. */
            source_job_ids: string[];
        };
        /**
         * Candidate
         * @description A lesson that was considered for an answer, and what became of it.
         */
        Candidate: {
            /** @description The lesson's id. */
            id: string;
            /** @enum {string} */
            kind: "strategy" | "pitfall" | "recovery";
            title: string;
            /** @description The task that it was learnt at. */
            task: string;
            /** @description Cosine similarity of its task to yours. */
            similarity: number;
            /** @description Number of distinct runs that were found. */
            support: number;
            told: boolean;
            /** @description Why it was told or not, for programs. */
            reason: string;
            /** @description The same for people. */
            because: string;
        };
        /** EnhancedResponse */
        EnhancedResponse: {
            /** @description Give this to the agent in place of its input: the input, unchanged and first, followed by the recommendations. If there is nothing relevant to say, just the input. */
            response: string;
            metadata: {
                /** @description How likely the recommendations are to apply. */
                confidence_score: number;
                /** @description As sent. */
                agent_type: string | null;
                /** @description Cite it in `metadata.enhancement_id` when you upload the run, so that its outcome counts. */
                enhancement_id: string;
                recommendations: components["schemas"]["Recommendation"][];
                /** @description With `explain=true`: every lesson that was considered, nearest first. */
                explanation?: components["schemas"]["Candidate"][];
                /**
                 * @description Present if recommendations were withheld at random, to measure what they are worth. Cite the `enhancement_id` all the same.
                 * @constant
                 */
                holdout?: true;
            };
        };
        /** ValidationError */
        ValidationError: {
            /** @description Where: `body`, `query` or `path`, then field names and array indices. */
            loc: (string | number)[];
            /** @description For people. */
            msg: string;
            /** @description For programs. */
            type: string;
        };
        /**
         * HTTPValidationError
         * @description Every problem at once.
         */
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        /**
         * AgentTurn
         * @description One step of an agent: what it saw, what it did, what came back.
         */
        AgentTurn: {
            /** @description Turns are ordered by this number; gaps are fine. */
            turn: number;
            /** @description Text. Any other JSON value except null is accepted and kept as compact JSON. */
            inputs: string | number | boolean | Record<string, unknown> | unknown[];
            /** @description Text. Any other JSON value except null is accepted and kept as compact JSON. */
            decision: string | number | boolean | Record<string, unknown> | unknown[];
            /** @description Text. Any other JSON value is accepted and kept as compact JSON. */
            memory?: string | null | number | boolean | Record<string, unknown> | unknown[];
            /** @description Text. Any other JSON value is accepted and kept as compact JSON. */
            result?: string | null | number | boolean | Record<string, unknown> | unknown[];
        };
        /**
         * AgentKnowledgeUpload
         * @description One run of an agent, to learn from. Unknown fields are ignored; an optional field that is null counts as absent.
         */
        AgentKnowledgeUpload: {
            /** @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403. */
            tenant_id: string;
            /** @description The task that the agent was given. */
            query: string;
            turns: components["schemas"]["AgentTurn"][];
            /** @description Whether the run succeeded. Also accepts 1 and 0, and true, false, yes, no, on, off, 1, 0 as text in any case. Leave it out, or null, if unknown. */
            success?: boolean | (0 | 1) | string | null;
            /** @description The kind of agent that made the run. */
            agent_type?: string | null;
            /**
             * Format: date-time
             * @description When the run happened. ISO 8601 with T or a space, with or without fractional seconds, with Z, an offset or no time zone (UTC), as Python, JavaScript and Go print it.
             */
            timestamp?: string | null;
            /** @description Any JSON. `enhancement_id` cites the recommendations that the agent was given. */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * Acknowledgement
         * @description The upload is durable and its job exists.
         */
        Acknowledgement: {
            /** @constant */
            status: "accepted";
            message: string;
            /** @description As sent. */
            tenant_id: string;
            job_id: string;
        };
        /**
         * AcceptedLine
         * @description The upload is durable and its job exists.
         */
        AcceptedLine: {
            /** @description The number of the line; blank ones count too. */
            line: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "accepted";
            job_id: string;
        };
        /**
         * InvalidLine
         * @description Not accepted: what `POST /store_knowledge` would answer with 422, or with 413 if the line is too long.
         */
        InvalidLine: {
            /** @description The number of the line; blank ones count too. */
            line: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "invalid";
            detail: components["schemas"]["ValidationError"][];
        };
        /**
         * ForbiddenLine
         * @description Not accepted: the `tenant_id` is a key of another account.
         */
        ForbiddenLine: {
            /** @description The number of the line; blank ones count too. */
            line: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "forbidden";
            /** @constant */
            error: "tenant_forbidden";
            message: string;
        };
        /**
         * FailedLine
         * @description It could not be queued, or not in time. Send it again, with the same `Idempotency-Key`.
         */
        FailedLine: {
            /** @description The number of the line; blank ones count too. */
            line: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "failed";
            /** @constant */
            error: "queueing_failed";
        };
        /** LineResult */
        LineResult: components["schemas"]["AcceptedLine"] | components["schemas"]["InvalidLine"] | components["schemas"]["ForbiddenLine"] | components["schemas"]["FailedLine"];
        /** BatchResult */
        BatchResult: {
            /** @description How many lines are not blank. */
            lines: number;
            /** @description How many of them were accepted. */
            accepted: number;
            /** @description One for each such line, in order. */
            results: components["schemas"]["LineResult"][];
        };
        /** ExportTraceServiceRequest */
        ExportTraceServiceRequest: {
            [key: string]: unknown;
        };
        /** ExportTraceServiceResponse */
        ExportTraceServiceResponse: {
            partialSuccess?: {
                rejectedSpans: number;
                /** @description Why, and what to change at the emitter. */
                errorMessage: string;
            };
        };
        /** DeleteResult */
        DeleteResult: {
            /** @description In a dry run, how many would be deleted. */
            deleted_count: number;
            status: string;
            /** @description Dry run only: how many insights are less similar than the threshold and would stay. */
            remaining_count?: number;
            /** @description Dry run only: up to 20 of the insights that would be deleted, least similar first. */
            matches?: {
                id: string;
                intent: string;
                similarity: number;
            }[];
        };
        /** EraseResult */
        EraseResult: {
            /** @description Number of insights deleted. */
            deleted_count: number;
            status: string;
        };
        /** Collection */
        Collection: {
            /** @description Null for the default collection, and for collections last written before names were stored. */
            tenant_id: string | null;
            /** @description The collection that the account's keys name. */
            default: boolean;
            insights: number;
            /** @description Runs that `GET /runs` lists: those of about 30 days. */
            runs: number;
            /** @description UTC. Of the latest of these runs. */
            last_upload_at: string | null;
            /** @enum {string} */
            review: "none" | "required";
            /** @description Null: the server's. */
            holdout_share: number | null;
            /** @description Null: the server's. */
            retention_days: number | null;
        };
        /** CollectionList */
        CollectionList: {
            collections: components["schemas"]["Collection"][];
            /** @description Send it as `cursor` to get the next page. Null on the last one. */
            next_cursor: string | null;
        };
        /**
         * CollectionChange
         * @description Settings of a collection: at least one. What is absent or null stays as it is.
         */
        CollectionChange: {
            /** @description `required`: only lessons that were approved, pinned or written by a person are told. */
            review?: ("none" | "required") | null;
            /** @description Share of answers with recommendations that get none, to measure what recommendations are worth. Replaces the server's `WHETSTONE_HOLDOUT_SHARE`. */
            holdout_share?: number | null;
            /** @description Insights that no run has confirmed for so long are forgotten; 0: never. Replaces the server's `WHETSTONE_RETENTION_DAYS`. */
            retention_days?: number | null;
        };
        /** CollectionSettings */
        CollectionSettings: {
            /** @enum {string} */
            review: "none" | "required";
            /** @description Absent: the server's. */
            holdout_share?: number;
            /** @description Absent: the server's. */
            retention_days?: number;
        };
        /**
         * ProcessingJob
         * @description Not finished yet. Poll again after `Retry-After` seconds.
         */
        ProcessingJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "processing";
            /** @description For people. Says why there was nothing to learn, or what you can do about a failure. */
            message: string;
            job_id: string;
            /** @description UTC, six fractional digits, no time zone. */
            created_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            started_at?: string;
        };
        /** CompletedJob */
        CompletedJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "completed";
            /** @description For people. Says why there was nothing to learn, or what you can do about a failure. */
            message: string;
            job_id: string;
            /** @description UTC, six fractional digits, no time zone. */
            created_at: string;
            /** @description UTC, six fractional digits, no time zone. */
            started_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            completed_at: string;
            /** @description Number of lessons stored. */
            insights_stored: number;
            /** @enum {string} */
            outcome: "stored" | "nothing_to_learn" | "deleted";
        };
        /**
         * FailedJob
         * @description Also contains a copy of itself under its `job_id`.
         */
        FailedJob: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            status: "failed";
            /** @description For people. Says why there was nothing to learn, or what you can do about a failure. */
            message: string;
            job_id: string;
            /** @description UTC, six fractional digits, no time zone. */
            created_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            started_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            failed_at: string;
            /** @description Encrypted: only the operators of the service can read it. */
            error_message: string;
            /** @description What to pass on to the operators. */
            note: string;
        };
        /** JobRecord */
        JobRecord: components["schemas"]["ProcessingJob"] | components["schemas"]["CompletedJob"] | components["schemas"]["FailedJob"];
        /**
         * Feedback
         * @description The outcome of a run that used an `enhance_task` answer.
         */
        Feedback: {
            /** @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403. */
            tenant_id: string;
            /** @description The `enhancement_id` of the answer. */
            enhancement_id: string;
            /** @description Whether the run succeeded. Also accepts 1 and 0, and true, false, yes, no, on, off, 1, 0 as text in any case. */
            success: boolean | (0 | 1) | string;
            /** @description Why, in the words of whoever knows. Told with the lessons. */
            note?: string | null;
        };
        /** FeedbackResult */
        FeedbackResult: {
            /** @description False if the answer already has an outcome, had no recommendations, or all of them have been deleted. */
            counted: boolean;
            status: string;
        };
        /**
         * Run
         * @description An upload and what came of it.
         */
        Run: {
            job_id: string;
            /** @description UTC. Null for a job with an `Idempotency-Key` that has not started. */
            accepted_at: string | null;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description The task, or its first 1,000 characters. Null until the job ends, if the run was deleted, and for uploads that were not encrypted. */
            query: string | null;
            agent_type: string | null;
            /** @description As reported by the caller; null if not reported. */
            success: boolean | null;
            /** @description How many lessons were learnt from it. */
            lessons: number;
        };
        /** RunList */
        RunList: {
            runs: components["schemas"]["Run"][];
            /** @description Send it as `cursor` to get the next page. Null on the last one. */
            next_cursor: string | null;
        };
        /** RunDetails */
        RunDetails: {
            job_id: string;
            /** @description UTC. Null for a job with an `Idempotency-Key` that has not started. */
            accepted_at: string | null;
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /** @description The task, or its first 1,000 characters. Null until the job ends, if the run was deleted, and for uploads that were not encrypted. */
            query: string | null;
            agent_type: string | null;
            /** @description As reported by the caller; null if not reported. */
            success: boolean | null;
            timeline: {
                /** @enum {string} */
                event: "accepted" | "started" | "learnt" | "stored" | "nothing_learnt" | "deleted" | "failed";
                /** @description UTC, six fractional digits, no time zone. */
                at: string;
            }[];
            /** @description What the agent did; of a long run the first and the last actions. */
            trail: {
                action: string;
                /** @enum {string} */
                outcome: "ok" | "failed" | "unknown";
            }[];
            /** @description Those of its lessons that still exist, with their present titles. */
            lessons: {
                id: string;
                title: string;
            }[];
            /** @description Why nothing was learnt, why the job failed, or why its details are hidden. */
            reason: string | null;
        };
        /**
         * Lesson
         * @description What `enhance_task` tells: one or more insights that say the same.
         */
        Lesson: {
            /** @description The `id` of its recommendations. */
            id: string;
            /** @enum {string} */
            kind: "strategy" | "pitfall" | "recovery";
            title: string;
            text: string;
            applies_when?: string;
            example?: string;
            agent_type?: string;
            /**
             * @description `pending`: not approved yet, in a collection that requires review.
             * @enum {string}
             */
            state: "active" | "muted" | "pinned" | "approved" | "rejected" | "pending";
            /**
             * @description What made it.
             * @enum {string}
             */
            origin: "reflector" | "model" | "person";
            /** @description Number of distinct runs that taught it. */
            support: number;
            /** @description Number of runs that were told it and succeeded. */
            helped: number;
            /** @description Number of runs that were told it and failed. */
            harmed: number;
            /** @description UTC, six fractional digits, no time zone. */
            first_seen: string;
            /** @description UTC, six fractional digits, no time zone. */
            last_seen: string;
        };
        /** LessonList */
        LessonList: {
            lessons: components["schemas"]["Lesson"][];
            /** @description Send it to get the next page. Absent on the last one. */
            cursor?: string;
        };
        /**
         * NewLesson
         * @description A lesson written by a person.
         */
        NewLesson: {
            /** @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403. */
            tenant_id: string;
            /** @description The task this lesson applies to, worded as a user would give it. */
            applies_when: string;
            /** @description What to do, in a sentence or two. */
            text: string;
            /** @description The beginning of the text, if absent. */
            title?: string | null;
            /** @description What to do, as the agent would write it. */
            example?: string | null;
            /** @description The kind of agent that it is for. All kinds, if absent. */
            agent_type?: string | null;
        };
        /** LessonEvidence */
        LessonEvidence: {
            job_id: string;
            task: string;
            /** @description UTC, six fractional digits, no time zone. */
            accepted_at: string;
            /** @enum {string} */
            outcome: "success" | "failure" | "unknown";
            /** @description The caller did not say how it ended; Whetstone inferred it. */
            judged: boolean;
            /** @description Runs that this one stands for, itself included. */
            runs: number;
            steps: {
                turn: number;
                action: string;
                /** @enum {string} */
                outcome: "ok" | "error" | "unknown";
                /** @description From its result. */
                note?: string;
            }[];
        };
        /** LessonDecision */
        LessonDecision: {
            /** @enum {string} */
            state?: "active" | "muted" | "pinned" | "approved" | "rejected";
            title?: string;
            text?: string;
            example?: string;
            note?: string;
            /** @description Who decided: the id of the key. */
            key_id: string;
            /** @description UTC, six fractional digits, no time zone. */
            decided_at: string;
        };
        /** LessonVotes */
        LessonVotes: {
            /**
             * Format: date
             * @description UTC.
             */
            date: string;
            helped: number;
            harmed: number;
        };
        /** LessonNote */
        LessonNote: {
            /** @description UTC, six fractional digits, no time zone. */
            given_at: string;
            success: boolean;
            note: string;
        };
        /** LessonDetails */
        LessonDetails: {
            /** @description The `id` of its recommendations. */
            id: string;
            /** @enum {string} */
            kind: "strategy" | "pitfall" | "recovery";
            title: string;
            text: string;
            applies_when?: string;
            example?: string;
            agent_type?: string;
            /**
             * @description `pending`: not approved yet, in a collection that requires review.
             * @enum {string}
             */
            state: "active" | "muted" | "pinned" | "approved" | "rejected" | "pending";
            /**
             * @description What made it.
             * @enum {string}
             */
            origin: "reflector" | "model" | "person";
            /** @description Number of distinct runs that taught it. */
            support: number;
            /** @description Number of runs that were told it and succeeded. */
            helped: number;
            /** @description Number of runs that were told it and failed. */
            harmed: number;
            /** @description UTC, six fractional digits, no time zone. */
            first_seen: string;
            /** @description UTC, six fractional digits, no time zone. */
            last_seen: string;
            /** @description Runs that taught it, the latest first. */
            evidence: components["schemas"]["LessonEvidence"][];
            /** @description Runs at the same tasks that ended otherwise. */
            against: components["schemas"]["LessonEvidence"][];
            /** @description What people decided, the latest first. */
            decisions: components["schemas"]["LessonDecision"][];
            /** @description `helped` and `harmed` per day, newest first, for the last 90 days that have votes. */
            votes: components["schemas"]["LessonVotes"][];
            /** @description The latest notes of feedback, the latest first. */
            notes: components["schemas"]["LessonNote"][];
        };
        /**
         * LessonChange
         * @description A decision about a lesson: at least one field. What is absent stays as it is.
         */
        LessonChange: {
            /** @description `muted`: never told, nor whatever says the same. `pinned`: told first where it is relevant. `approved` and `rejected`: for collections that require review. `active`: none of these. */
            state?: ("active" | "muted" | "pinned" | "approved" | "rejected") | null;
            /** @description Replaces the learnt title. `null` brings the learnt one back. */
            title?: string | null;
            /** @description Replaces the learnt text. `null` brings the learnt one back. */
            text?: string | null;
            /** @description Replaces the learnt example. `null` brings the learnt one back. */
            example?: string | null;
            /** @description Why. */
            note?: string | null;
        };
        /**
         * ApiKey
         * @description What is known of a key. The key itself is not stored.
         */
        ApiKey: {
            /** @description The part of the key after `wst_`. */
            key_id: string;
            scopes: ("ask" | "record" | "curate" | "admin")[];
            /** @enum {string} */
            trust: "low" | "normal" | "high";
            /**
             * @description `ending`: replaced by another key, and revoked from `effective_at` on.
             * @enum {string}
             */
            status: "active" | "ending" | "expired" | "revoked";
            /** @description UTC, six fractional digits, no time zone. */
            issued_at: string;
            /** @description Who approved it: the id of the key that issued it, or what an operator wrote. */
            approved_by: string;
            reason: string;
            /** @description UTC, six fractional digits, no time zone. */
            expires_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            revoked_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            effective_at?: string;
            revocation_reason?: string;
            /** @description The id of the key that revoked it; absent if an operator did. */
            revoked_by?: string;
        };
        /** KeyList */
        KeyList: {
            /** @description All keys ever issued to the account, oldest first. */
            keys: components["schemas"]["ApiKey"][];
        };
        /**
         * KeyRequest
         * @description What a new key may do, and for how long. It never expires unless `expires_in_days` or `expires_at` is set.
         */
        KeyRequest: {
            /** @description Operators issue keys with the scope `admin`, with `whetstone keys issue`. */
            scopes: ("ask" | "record" | "curate")[];
            /** @description Days from now. */
            expires_in_days?: number | null;
            /**
             * Format: date-time
             * @description In the future, at most ten years from now. Not together with `expires_in_days`. ISO 8601 with T or a space, with or without fractional seconds, with Z, an offset or no time zone (UTC), as Python, JavaScript and Go print it.
             */
            expires_at?: string | null;
            /** @description Trust level of its uploads; `normal` if absent. Lessons from low-trust keys are held until others confirm them. */
            trust?: ("low" | "normal" | "high") | null;
            /** @description Why, for the audit record. One line of text. */
            reason?: string | null;
        };
        /** IssuedKey */
        IssuedKey: {
            /** @description The key. Shown only this once. */
            key: string;
            /** @description The part of the key after `wst_`. */
            key_id: string;
            scopes: ("ask" | "record" | "curate" | "admin")[];
            /** @enum {string} */
            trust: "low" | "normal" | "high";
            /**
             * @description `ending`: replaced by another key, and revoked from `effective_at` on.
             * @enum {string}
             */
            status: "active" | "ending" | "expired" | "revoked";
            /** @description UTC, six fractional digits, no time zone. */
            issued_at: string;
            /** @description Who approved it: the id of the key that issued it, or what an operator wrote. */
            approved_by: string;
            reason: string;
            /** @description UTC, six fractional digits, no time zone. */
            expires_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            revoked_at?: string;
            /** @description UTC, six fractional digits, no time zone. */
            effective_at?: string;
            revocation_reason?: string;
            /** @description The id of the key that revoked it; absent if an operator did. */
            revoked_by?: string;
        };
        /**
         * AuditEntry
         * @description A decision. No text of lessons or uploads, no intent and no key.
         */
        AuditEntry: {
            /** @description UTC, six fractional digits, no time zone. */
            at: string;
            /** @description Who decided: the id of the key. Null: an operator. */
            key_id: string | null;
            /** @enum {string} */
            action: "key.issued" | "key.revoked" | "lesson.changed" | "lesson.written" | "lesson.deleted" | "knowledge.deleted" | "collection.changed" | "collection.erased";
            /** @description The collection; absent for keys. Null: the account's default collection, or its root secret is gone. */
            tenant_id?: string | null;
            /** @description The id of the key or the lesson. */
            subject: string | null;
            /**
             * @description `failed`: it was refused or broke off; part of a deletion may have happened. `unknown`: not told.
             * @enum {string}
             */
            outcome: "done" | "failed" | "unknown";
            /** @description What was decided, such as the scopes of a key or the state of a lesson. */
            details: Record<string, unknown>;
        };
        /** AuditList */
        AuditList: {
            /** @description Newest first. */
            entries: components["schemas"]["AuditEntry"][];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        /** KeyUsage */
        KeyUsage: {
            key_id: string;
            /** @description Answers of `enhance_task`. */
            answers: number;
            /** @description Of these, how many came without recommendations, held-out ones included. */
            empty_answers: number;
            /** @description Accepted uploads. */
            uploads: number;
            /** @description Of the bodies of accepted uploads, unpacked. */
            bytes: number;
            /** @description Requests that were answered with 4xx or 503. */
            refusals: number;
        };
        /** Usage */
        Usage: {
            /** @description Those with requests, the latest first. */
            days: {
                /** @description UTC. */
                date: string;
                /** @description Those with requests, by id. */
                keys: components["schemas"]["KeyUsage"][];
            }[];
            /** @description There are more than 10,000 pairs of a day and a key; the oldest are missing. */
            truncated: boolean;
        };
        /** Uplift */
        Uplift: {
            /** @description Answers with recommendations. */
            with: {
                /** @description Answers with a reported outcome. */
                runs: number;
                successes: number;
                /** @description Null if there are no runs. */
                rate: number | null;
            };
            /** @description Answers that were held out at random. */
            without: {
                /** @description Answers with a reported outcome. */
                runs: number;
                successes: number;
                /** @description Null if there are no runs. */
                rate: number | null;
            };
            /** @description Difference of the two rates; null if either is null. */
            difference: number | null;
            /** @description The 95 % interval of the difference. If it includes 0, the result is inconclusive. */
            interval: number[] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getServiceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up and the key is valid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceStatus"];
                };
            };
        };
    };
    enhanceTask: {
        parameters: {
            query?: {
                /**
                 * @description Also say in `metadata.explanation` of every candidate why it was told or not. The key needs the scope `curate` too.
                 * @example false
                 */
                explain?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentInput"];
            };
        };
        responses: {
            /** @description The input, unchanged and first, followed by the recommendations */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnhancedResponse"];
                };
            };
        };
    };
    storeKnowledge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retried upload the same job: the same account, collection, key and body on one UTC day are one job. Another body under the same key is another job. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AgentKnowledgeUpload"];
            };
        };
        responses: {
            /** @description The upload is durable */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Acknowledgement"];
                };
            };
        };
    };
    storeKnowledgeBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Applies to each line together with its content: the same line under the same key on one UTC day is the same job, in whichever batch it comes. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The result of each line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    storeTraces: {
        parameters: {
            query?: never;
            header?: {
                /** @description The collection. If absent or empty, the resource attribute `whetstone.tenant_id` names it. */
                "x-whetstone-tenant"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportTraceServiceRequest"];
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description All spans are stored, except those reported in `partialSuccess` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportTraceServiceResponse"];
                    "application/x-protobuf": string;
                };
            };
        };
    };
    deleteByIntent: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
                /**
                 * @description The kind of task to forget, in any words. At least one non-blank character.
                 * @example Delete large log files
                 */
                intent: string;
                /**
                 * @description Deletes insights whose intent has at least this cosine similarity. 0.5 covers a whole neighbourhood of tasks, 0.8 about one task. 0 is not everything: a cosine can be negative, so the most unlike insights stay; `DELETE /collections` erases all. Empty or `null` means the default.
                 * @example 0.8
                 */
                similarity_threshold?: number | null;
                /**
                 * @description Only count and list what would be deleted, and count what would stay; delete nothing.
                 * @example true
                 */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteResult"];
                };
            };
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /**
                 * @description How many on a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of collections */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
        };
    };
    eraseCollection: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
                /**
                 * @description Repeats the `tenant_id`.
                 * @example ops-bot
                 */
                confirm: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many insights were deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseResult"];
                };
            };
        };
    };
    changeCollection: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionChange"];
            };
        };
        responses: {
            /** @description The settings as they are now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionSettings"];
                };
            };
        };
    };
    getKnowledgeStatus: {
        parameters: {
            query?: {
                /**
                 * @description Seconds to wait for the end of the job. Answers as soon as it ends, or with `processing` after that time; also earlier if the server stops, or if the key has too many calls waiting. 0 answers at once.
                 * @example 20
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The `job_id` that `POST /store_knowledge` returned.
                 * @example job_0033jz8hx8q3z00g8w1pc2vtkd5e6m7n8p9q0r1s2t3v4w5x6y7z8a9
                 */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job record */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRecord"];
                };
            };
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Feedback"];
            };
        };
        responses: {
            /** @description Whether it counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedbackResult"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
                /**
                 * @description Only runs whose job has this status.
                 * @example completed
                 */
                status?: "processing" | "completed" | "failed";
                /**
                 * @description Only runs reported as successful (`true`) or unsuccessful (`false`).
                 * @example true
                 */
                success?: boolean;
                /**
                 * @description How many on a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path: {
                /**
                 * @description The `job_id` that `POST /store_knowledge` returned.
                 * @example job_0033jz8hx8q3z00g8w1pc2vtkd5e6m7n8p9q0r1s2t3v4w5x6y7z8a9
                 */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetails"];
                };
            };
        };
    };
    listLessons: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
                /**
                 * @description A task or some words: lists what `enhance_task` would search, the most relevant first.
                 * @example Delete old logs
                 */
                q?: string;
                /**
                 * @description Only lessons of this kind.
                 * @example strategy
                 */
                kind?: "strategy" | "pitfall" | "recovery";
                /**
                 * @description Only lessons in this state.
                 * @example active
                 */
                state?: "active" | "muted" | "pinned" | "approved" | "rejected" | "pending";
                /**
                 * @description Only lessons for this kind of agent.
                 * @example shell
                 */
                agent_type?: string;
                /**
                 * @description `recent`: learnt last, the default. `support`: most runs. `harm`: most often told to runs that failed. `relevance`: nearest to `q`, and the only one with `q`.
                 * @example relevance
                 */
                sort?: "recent" | "support" | "harm" | "relevance";
                /**
                 * @description How many on a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The `cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lessons */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonList"];
                };
            };
        };
    };
    writeLesson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLesson"];
            };
        };
        responses: {
            /** @description The lesson */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lesson"];
                };
            };
        };
    };
    getLesson: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path: {
                /**
                 * @description The `id` of the lesson, and of its recommendations.
                 * @example q7Vx2LmZ0aTfK9_c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lesson */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LessonDetails"];
                };
            };
        };
    };
    deleteLesson: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path: {
                /**
                 * @description The `id` of the lesson, and of its recommendations.
                 * @example q7Vx2LmZ0aTfK9_c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many insights were deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseResult"];
                };
            };
        };
    };
    changeLesson: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path: {
                /**
                 * @description The `id` of the lesson, and of its recommendations.
                 * @example q7Vx2LmZ0aTfK9_c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LessonChange"];
            };
        };
        responses: {
            /** @description The lesson as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lesson"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
        };
    };
    issueKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key is valid */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /**
                 * @description Why, for the audit record. One line of text.
                 * @example leaked in a build log
                 */
                reason?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the key: never the key itself.
                 * @example 0a1b2c3d4e5f6g7h
                 */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /**
                 * @description Entries on a page.
                 * @example 20
                 */
                limit?: number;
                /** @description The `next_cursor` of the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description How many days, today included. UTC.
                 * @example 30
                 */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
        };
    };
    getUplift: {
        parameters: {
            query: {
                /**
                 * @description The collection: any name, such as one per bot or workflow, or your API key for the default collection. The key of another account is refused with 403.
                 * @example ops-bot
                 */
                tenant_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comparison */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uplift"];
                };
            };
        };
    };
}
