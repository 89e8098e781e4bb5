/** Written by static/api-types.mjs from the app's OpenAPI document; do not edit. */

export interface paths {
    "/api/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a program
         * @description It answers with its result or, where `text/event-stream` is accepted, with server-sent events, each with a sequence number from 0 as its `id` and JSON as its `data`: `queued {id, position}` (again when the position changes), `started {id}`, then any of `stdout {text}`, `stderr {text}`, `display` (a display), `diagnosis` (a diagnosis) in the order they happened, and at last `result` (a RunResult), or `error {code, message}` when the fault is ours. Closing the connection kills the run.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunRequest"];
                };
            };
            responses: {
                /** @description It ran */
                200: {
                    headers: {
                        /** @description The id that stops the run */
                        "X-Run-Id"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunResult"];
                        "text/event-stream": string;
                    };
                };
                /** @description There is no such thing */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description The body is not JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description A field is not as it should be */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description Too many runs wait; Retry-After says when to come back */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description The server cannot do it right now */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop a run */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is being stopped */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                        };
                    };
                };
                /** @description There is no such thing */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description The server cannot do it right now */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The chapters and lessons, in order */
        get: {
            parameters: {
                query?: {
                    /** @description The language of the answer; without it, Accept-Language decides. */
                    lang?: "en" | "zh-Hans";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The chapters and lessons, in order */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseAnswer"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/{chapter}/{lesson}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One lesson */
        get: {
            parameters: {
                query?: {
                    /** @description The language of the answer; without it, Accept-Language decides. */
                    lang?: "en" | "zh-Hans";
                };
                header?: never;
                path: {
                    chapter: string;
                    lesson: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One lesson */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LessonAnswer"];
                    };
                };
                /** @description There is no such thing */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What confines the runs; for operators */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What confines the runs; for operators */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxAnswer"];
                    };
                };
                /** @description Not allowed */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
                /** @description The server cannot do it right now */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process is up */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The process is up */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** It can run code */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It can run code */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The server cannot do it right now */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErrorBody"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Figures for Prometheus */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Prometheus text */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
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
        /**
         * RunRequest
         * @description The body of `POST /api/runs`.
         */
        RunRequest: {
            source: string;
            /** @default null */
            runtime: ("jax" | "tensorflow" | "torch") | null;
            /** @default null */
            lesson: string | null;
            /** @default null */
            cell: string | null;
            /** @default {} */
            sources: {
                [key: string]: string;
            };
            /** @default 0 */
            seed: number;
            /** @default null */
            instruments: string[] | null;
            /** @default null */
            lang: ("en" | "zh-Hans") | null;
        };
        /** RunResult */
        RunResult: {
            id: string;
            outcome: components["schemas"]["Outcome"];
            /** @default null */
            error: components["schemas"]["RunError"] | null;
            /** @default  */
            stdout: string;
            /** @default  */
            stderr: string;
            /** @default false */
            stdout_truncated: boolean;
            /** @default false */
            stderr_truncated: boolean;
            /** @default [] */
            displays: (components["schemas"]["GraphDisplay"] | components["schemas"]["GradcheckDisplay"] | components["schemas"]["ValueDisplay"])[];
            /** @default [] */
            functions: Record<string, never>[];
            /** @default [] */
            diagnoses: components["schemas"]["Diagnosis"][];
            timing: components["schemas"]["Timing"];
            /** @default 0 */
            seed: number;
            /**
             * @default torch
             * @enum {unknown}
             */
            runtime: "jax" | "tensorflow" | "torch";
            /** @default {} */
            versions: {
                [key: string]: string;
            };
            /**
             * @default en
             * @enum {unknown}
             */
            lang: "en" | "zh-Hans";
        };
        /**
         * Outcome
         * @enum {unknown}
         */
        Outcome: "crashed" | "finished" | "forbidden" | "out_of_memory" | "output_limit" | "raised" | "stopped" | "timed_out";
        /** RunError */
        RunError: {
            type: string;
            message: string;
            /** @default null */
            cell: string | null;
            /** @default null */
            line: number | null;
            /** @default null */
            column: number | null;
            /** @default [] */
            traceback: components["schemas"]["Frame"][];
            /** @default null */
            explanation: string | null;
        };
        /**
         * Frame
         * @description One of the learner's own frames in a traceback; `source` is the line's text.
         */
        Frame: {
            cell: string | null;
            line: number | null;
            column: number | null;
            function: string;
            source: string;
        };
        /** GraphDisplay */
        GraphDisplay: {
            /** @enum {unknown} */
            kind: "graph";
            /** @default null */
            cell: string | null;
            /** @default null */
            line: number | null;
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            /** @default  */
            dot: string;
            /** @default [] */
            nodes: components["schemas"]["GraphNode"][];
            /** @default [] */
            edges: components["schemas"]["GraphEdge"][];
            /** @default null */
            svg: string | null;
            /** @default null */
            note: string | null;
        };
        /** GraphNode */
        GraphNode: {
            id: string;
            /** @enum {unknown} */
            kind: "accumulate_grad" | "custom_function" | "function" | "leaf" | "output" | "saved" | "tensor";
            label: string;
            /** @default null */
            name: string | null;
            /** @default null */
            shape: number[] | null;
            /** @default null */
            dtype: string | null;
            /** @default null */
            line: number | null;
            /** @default null */
            column: number | null;
            /**
             * @default 1
             * @enum {unknown}
             */
            order: 1 | 2;
        };
        /**
         * GraphEdge
         * @description An edge in torchviz's direction, from inputs to outputs; `missing` marks a path that should exist and does not.
         */
        GraphEdge: {
            source: string;
            target: string;
            /** @default false */
            missing: boolean;
        };
        /** GradcheckDisplay */
        GradcheckDisplay: {
            /** @enum {unknown} */
            kind: "gradcheck";
            /** @default null */
            cell: string | null;
            /** @default null */
            line: number | null;
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            /** @enum {unknown} */
            order: 1 | 2;
            /** @enum {unknown} */
            mode: "fast" | "forward" | "reverse";
            passed: boolean;
            /** @default null */
            message: string | null;
            eps: number | ("-inf" | "inf" | "nan");
            atol: number | ("-inf" | "inf" | "nan");
            rtol: number | ("-inf" | "inf" | "nan");
            /** @default [] */
            pairs: components["schemas"]["JacobianPair"][];
        };
        /**
         * JacobianPair
         * @description The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck.
         */
        JacobianPair: {
            output: number;
            input: number;
            /** @default null */
            output_name: string | null;
            /** @default null */
            input_name: string | null;
            shape: [
                number,
                number
            ];
            /** @default null */
            numerical: (number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ])[][] | null;
            /** @default null */
            analytical: (number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ])[][] | null;
            /** @default null */
            worst: components["schemas"]["WorstEntry"][] | null;
            /** @default null */
            max_abs_error: number | ("-inf" | "inf" | "nan") | null;
            /** @default null */
            max_rel_error: number | ("-inf" | "inf" | "nan") | null;
            /** @default 0 */
            failing: number;
            /** @default null */
            cause: string | null;
        };
        /**
         * WorstEntry
         * @description One of the worst entries of a Jacobian too large to be shown: its place and its two values.
         */
        WorstEntry: {
            row: number;
            column: number;
            numerical: number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ];
            analytical: number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ];
        };
        /** ValueDisplay */
        ValueDisplay: {
            /** @enum {unknown} */
            kind: "value";
            /** @default null */
            cell: string | null;
            /** @default null */
            line: number | null;
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            text: string;
            /** @default null */
            shape: number[] | null;
            /** @default null */
            dtype: string | null;
            /** @default null */
            requires_grad: boolean | null;
            /** @default null */
            grad_fn: string | null;
            /** @default null */
            values: unknown;
        };
        /** Diagnosis */
        Diagnosis: {
            code: string;
            /** @enum {unknown} */
            severity: "error" | "hint" | "warning";
            /** @default null */
            cell: string | null;
            /** @default null */
            line: number | null;
            /** @default null */
            column: number | null;
            /** @default null */
            end_line: number | null;
            /** @default null */
            end_column: number | null;
            message: string;
            /** @default null */
            lesson: string | null;
        };
        /** Timing */
        Timing: {
            queued_ms: number;
            run_ms: number;
            total_ms: number;
        };
        /** Queued */
        Queued: {
            /** @enum {unknown} */
            event: "queued";
            id: string;
            position: number;
        };
        /** Started */
        Started: {
            /** @enum {unknown} */
            event: "started";
            id: string;
        };
        /** Stdout */
        Stdout: {
            /** @enum {unknown} */
            event: "stdout";
            text: string;
        };
        /** Stderr */
        Stderr: {
            /** @enum {unknown} */
            event: "stderr";
            text: string;
        };
        /** Displayed */
        Displayed: {
            /** @enum {unknown} */
            event: "display";
            display: components["schemas"]["GraphDisplay"] | components["schemas"]["GradcheckDisplay"] | components["schemas"]["ValueDisplay"];
        };
        /** Diagnosed */
        Diagnosed: {
            /** @enum {unknown} */
            event: "diagnosis";
            diagnosis: components["schemas"]["Diagnosis"];
        };
        /** Ended */
        Ended: {
            /** @enum {unknown} */
            event: "result";
            result: components["schemas"]["RunResult"];
        };
        /**
         * Failed
         * @description The fault is ours. `code` is one of unavailable, overloaded, internal.
         */
        Failed: {
            /** @enum {unknown} */
            event: "error";
            code: string;
            message: string;
        };
        /**
         * SandboxAnswer
         * @description What operators are told, by the API and by `gradroom sandbox check`: the report, and whether programs are run.
         */
        SandboxAnswer: {
            setting: string;
            safe: boolean;
            /** @default [] */
            layers: components["schemas"]["Layer"][];
            /** @default [] */
            checks: components["schemas"]["Check"][];
            /** @default [] */
            degraded: string[];
            ready: boolean;
            /** @default null */
            reason: string | null;
        };
        /**
         * Layer
         * @description One layer of isolation. When it is not active, `detail` says why and `stands_in` what does its work.
         */
        Layer: {
            name: string;
            active: boolean;
            detail: string;
            /** @default null */
            stands_in: string | null;
        };
        /**
         * Check
         * @description One thing a confined child tried; it passed when the kernel refused it.
         */
        Check: {
            name: string;
            passed: boolean;
            /** @default  */
            detail: string;
        };
        /**
         * CourseAnswer
         * @description The answer of `GET /api/lessons`.
         */
        CourseAnswer: {
            chapters: components["schemas"]["ChapterEntry"][];
        };
        /** ChapterEntry */
        ChapterEntry: {
            id: string;
            number: number;
            title: string;
            lessons: components["schemas"]["LessonEntry"][];
        };
        /**
         * LessonEntry
         * @description A lesson in the table of contents; `path` is what `POST /api/runs` takes as `lesson`.
         */
        LessonEntry: {
            id: string;
            path: string;
            title: string;
            minutes: number;
            runtime: string;
            cells: string[];
            /** @default [] */
            exercises: string[];
        };
        /**
         * LessonAnswer
         * @description The answer of `GET /api/lessons/{chapter}/{lesson}`. In `html`, `<div data-cell="id"></div>` stands where a cell is placed.
         */
        LessonAnswer: {
            id: string;
            path: string;
            chapter: string;
            /** @enum {unknown} */
            lang: "en" | "zh-Hans";
            title: string;
            summary: string;
            minutes: number;
            runtime: string;
            html: string;
            cells: components["schemas"]["CellAnswer"][];
            /** @default [] */
            exercises: string[];
        };
        /**
         * CellAnswer
         * @description One cell: its starter source, and the cells that are replayed before it.
         */
        CellAnswer: {
            id: string;
            filename: string;
            source: string;
            after: string[];
            raises: string | null;
        };
        /**
         * ErrorBody
         * @description The body of every answer that is an error.
         */
        ErrorBody: {
            error: components["schemas"]["ErrorDetail"];
        };
        /**
         * ErrorDetail
         * @description `field` is the one at fault; `reason` the cap that was reached: learner, address or overall.
         */
        ErrorDetail: {
            code: string;
            message: string;
            /** @default null */
            field: string | null;
            /** @default null */
            reason: string | null;
            /** @default null */
            retry_after_seconds: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
