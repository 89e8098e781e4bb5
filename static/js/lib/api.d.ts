/** Written by static/api-types.mjs from the app's OpenAPI document; do not edit. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * DraftBody
         * @description The text of a cell. `ran` says that it was run; it is then also stored as an earlier text.
         */
        DraftBody: {
            /**
             * Source
             * @description text, at most 65,536 bytes as UTF-8, without NUL and lone surrogates; or null, for what the lesson has
             */
            source: string | null;
            /**
             * Version
             * @description the number of the version that the text began from, or 0
             */
            version: number;
            /**
             * Ran
             * @description true or false
             * @default false
             */
            ran: boolean;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * PredictionReport
         * @description An answer to a prediction, null if the learner asked to be shown. `lang` is its language, which makes no difference.
         */
        PredictionReport: {
            /**
             * Answer
             * @description an object that maps predictions of the lesson to an answer each, in the form that the question asks for, or null
             */
            answer: number | string | number[] | null;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * PredictionRequest
         * @description A learner's prediction, in the form that the question asks for. Null means "show me".
         */
        PredictionRequest: {
            /**
             * Answer
             * @description a number, a text, a list of whole numbers, or null
             */
            answer: number | string | number[] | null;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * ReviewsBody
         * @description Whether the map asks predictions again that were wrong.
         */
        ReviewsBody: {
            /**
             * On
             * @description true or false
             */
            on: boolean;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * RunRequest
         * @description A program, its place in the course, and options of its run.
         * @example {
         *       "source": "import torch\n\nx = torch.tensor(2.0, requires_grad=True)\n(x**3).backward()\nx.grad"
         *     }
         */
        RunRequest: {
            /**
             * Source
             * @description Python source as text, at most 65,536 bytes as UTF-8, without NUL and lone surrogates
             */
            source: string;
            /**
             * Runtime
             * @description the name of a runtime that is installed
             */
            runtime?: ("torch" | "tensorflow" | "jax") | null;
            /**
             * Lesson
             * @description a lesson, written "chapter/lesson"
             */
            lesson?: string | null;
            /**
             * Cell
             * @description the id of a cell
             */
            cell?: string | null;
            /**
             * Exercise
             * @description the id of an exercise, in place of a cell
             */
            exercise?: string | null;
            /**
             * Sources
             * @description an object from ids of cells to Python source, each at most 65,536 bytes as UTF-8, without NUL and lone surrogates
             * @default {}
             */
            sources: {
                [key: string]: string;
            };
            /**
             * Seed
             * @description a whole number from 0 to 4294967295
             * @default 0
             */
            seed: number;
            /**
             * Instruments
             * @description a list of at most 32 names of instruments
             */
            instruments?: string[] | null;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * SubmissionRequest
         * @description A learner's program for an exercise.
         */
        SubmissionRequest: {
            /**
             * Source
             * @description Python source as text, at most 65,536 bytes as UTF-8, without NUL and lone surrogates
             */
            source: string;
            /**
             * Seed
             * @description a whole number from 0 to 4294967295
             * @default 0
             */
            seed: number;
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * WorkReport
         * @description Work in a lesson: cells that ran as the lesson declares, predictions, and the number of hints that were read of each exercise.
         */
        WorkReport: {
            /**
             * Lesson
             * @description a lesson, written "chapter/lesson"
             */
            lesson: string;
            /**
             * Cells
             * @description a list of cells of the lesson
             * @default []
             */
            cells: string[];
            /**
             * Predictions
             * @description an object that maps predictions of the lesson to an answer each, in the form that the question asks for, or null
             * @default {}
             */
            predictions: {
                [key: string]: components["schemas"]["PredictionReport"];
            };
            /**
             * Hints
             * @description an object that maps exercises of the lesson to the number of their hints that were read
             * @default {}
             */
            hints: {
                [key: string]: number;
            };
            /**
             * Lang
             * @description "en" or "zh-Hans"
             */
            lang?: ("en" | "zh-Hans") | null;
        };
        /**
         * AttemptsAnswer
         * @description The submissions to an exercise, newest first.
         */
        AttemptsAnswer: {
            attempts: components["schemas"]["AttemptAnswer"][];
        };
        /**
         * AttemptAnswer
         * @description A submission. `receipt` is its receipt's id, `at` is ISO 8601 in UTC, and `checks` are the visible ones.
         *
         *         `good` of the `total` checks that count passed, hidden ones included. `imported` says that it came with an archive and was graded
         *         elsewhere.
         */
        AttemptAnswer: {
            receipt: string;
            at: string;
            source: string;
            passed: boolean;
            good: number;
            total: number;
            mistake: components["schemas"]["MistakeAnswer"] | null;
            checks: components["schemas"]["CheckAnswer"][];
            imported: boolean;
        };
        /**
         * MistakeAnswer
         * @description A known mistake that was recognised. `html` says what happened, why, and what to try. `message` is always empty.
         */
        MistakeAnswer: {
            id: string;
            /** @default  */
            message: string;
            html: string;
        };
        /**
         * CheckAnswer
         * @description The result of one visible check.
         *
         *         `title` and `message` are plain text; `html` has the author's own words as safe HTML. `message` and `html` may be empty. `facts` are the
         *         values that were given, expected and returned. `gradcheck` has the Jacobians that differ. `explanation` says what an exception means
         *         and what to try. `reported` is true if the result is what the learner's process reports of itself; the verdict does not depend on it.
         */
        CheckAnswer: {
            id: string;
            title: string;
            passed: boolean;
            /** @default  */
            message: string;
            /** @default  */
            html: string;
            /** @default [] */
            facts: components["schemas"]["Fact"][];
            /** @default null */
            gradcheck: components["schemas"]["GradcheckRecord"] | null;
            /** @default  */
            explanation: string;
            /** @default false */
            reported: boolean;
        };
        /**
         * Fact
         * @description One value of a failed check. `title` is in the language of the request; `value` is plain text that may come from the learner.
         */
        Fact: {
            title: string;
            value: string;
        };
        /**
         * GradcheckRecord
         * @description `order`: 1 for gradcheck, 2 for gradgradcheck. `passed`: null when nothing was compared. `message`: PyTorch's own, when it failed.
         *
         *         The runner derives `passed`, and of each pair `failing` and both errors; a finding that the entries contradict becomes "differ"
         *         (app.protocol.records.judgement).
         */
        GradcheckRecord: {
            /** @enum {unknown} */
            kind: "gradcheck";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            /** @enum {unknown} */
            order: 1 | 2;
            /** @enum {unknown} */
            mode: "fast" | "forward" | "reverse";
            passed: boolean | null;
            /** @default null */
            message: string | null;
            eps: number | ("-inf" | "inf" | "nan");
            atol: number | ("-inf" | "inf" | "nan");
            rtol: number | ("-inf" | "inf" | "nan");
            /** @default [] */
            pairs: components["schemas"]["JacobianPair"][];
        };
        /**
         * Span
         * @description A piece of a cell's source; a bare source has no cell. Lines from 1, columns from 0 in code points, the end exclusive.
         */
        Span: {
            /** @default null */
            cell: string | null;
            line: number;
            /** @default null */
            column: number | null;
            /** @default null */
            end_line: number | null;
            /** @default null */
            end_column: number | null;
        };
        /**
         * JacobianPair
         * @description The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck.
         *
         *         They are there whole, or by `blocks`. `input_shape`, `output_shape`: of the two tensors, whose entries are counted in row-major order.
         *         `finding`: the plainest thing that is true of all entries; `factor`: how many times the numerical one the analytical one is, if that
         *         is it. In fast mode both are 1 × 1: one random projection of them, which is all that is compared; then there is no finding.
         */
        JacobianPair: {
            output: number;
            input: number;
            /** @default null */
            output_name: string | null;
            /** @default null */
            input_name: string | null;
            /** @default null */
            output_shape: number[] | null;
            /** @default null */
            input_shape: number[] | null;
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
            blocks: components["schemas"]["Blocks"] | null;
            /** @default null */
            max_abs_error: number | ("-inf" | "inf" | "nan") | null;
            /** @default null */
            max_rel_error: number | ("-inf" | "inf" | "nan") | null;
            /** @default 0 */
            failing: number;
            /** @default null */
            finding: ("agree" | "differ" | "factor" | "not-a-number" | "not-zero" | "transposed" | "zero") | null;
            /** @default null */
            factor: number | null;
        };
        /**
         * Blocks
         * @description Jacobians of many entries: one entry of each block of `rows` × `columns`, those at the ends smaller.
         *
         *         `entries`: of each block the entry that differs most; where none differs, the largest. `worst`: of a pair that fails, the block that
         *         differs most; of one larger than 32 × 32, that part of it.
         */
        Blocks: {
            rows: number;
            columns: number;
            entries: components["schemas"]["BlockEntry"][][];
            /** @default null */
            worst: components["schemas"]["Block"] | null;
        };
        /**
         * BlockEntry
         * @description One entry of two Jacobians.
         */
        BlockEntry: [
            number,
            number,
            number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ],
            number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ]
        ];
        /**
         * Block
         * @description All entries of both Jacobians from one row and column on.
         */
        Block: {
            row: number;
            column: number;
            numerical: (number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ])[][];
            analytical: (number | ("-inf" | "inf" | "nan") | [
                number | ("-inf" | "inf" | "nan"),
                number | ("-inf" | "inf" | "nan")
            ])[][];
        };
        /**
         * CourseAnswer
         * @description The answer of `GET /api/lessons`.
         */
        CourseAnswer: {
            chapters: components["schemas"]["ChapterEntry"][];
        };
        /**
         * ChapterEntry
         * @description A chapter. A planned one has no lessons, and its `number` may be null. `promise` is a sentence on what it teaches.
         */
        ChapterEntry: {
            id: string;
            number: number | null;
            title: string;
            /** @default  */
            promise: string;
            lessons: components["schemas"]["LessonEntry"][];
        };
        /**
         * LessonEntry
         * @description A lesson in the table of contents. `POST /api/runs` takes its `path` as `lesson`.
         */
        LessonEntry: {
            id: string;
            path: string;
            title: string;
            minutes: number;
            runtime: string;
            cells: string[];
            /** @default [] */
            predictions: string[];
            /** @default [] */
            exercises: string[];
        };
        /**
         * DraftAnswer
         * @description The present text, null if none is stored, and the earlier ones, newest first.
         */
        DraftAnswer: {
            draft: components["schemas"]["SavedDraft"] | null;
            versions: components["schemas"]["EarlierDraft"][];
        };
        /**
         * SavedDraft
         * @description The text of a cell as the server has it. `source` is null for the text that the lesson gives. `version` counts from 1.
         */
        SavedDraft: {
            version: number;
            source: string | null;
        };
        /**
         * EarlierDraft
         * @description An earlier text, and why it was stored. `at` is ISO 8601 in UTC.
         */
        EarlierDraft: {
            number: number;
            /** @enum {unknown} */
            why: "imported" | "replaced" | "restored" | "run";
            source: string;
            at: string;
        };
        /**
         * HealthAnswer
         * @description The process is up.
         */
        HealthAnswer: {
            /**
             * @default ok
             * @enum {unknown}
             */
            status: "ok";
        };
        /**
         * HoldingsAnswer
         * @description How much is stored about a learner: times in milliseconds since 1970, null if nothing is stored, numbers of rows, and bytes of texts.
         *
         *         Everything is deleted `retention_days` after the last visit, or never if that is 0. Beyond `limit_bytes` nothing more is stored.
         */
        HoldingsAnswer: {
            /** @default null */
            made_ms: number | null;
            /** @default null */
            seen_ms: number | null;
            /** @default 0 */
            cells: number;
            /** @default 0 */
            predictions: number;
            /** @default 0 */
            exercises: number;
            /** @default 0 */
            attempts: number;
            /** @default 0 */
            drafts: number;
            /** @default 0 */
            versions: number;
            /** @default 0 */
            bytes: number;
            /** @default true */
            reviews: boolean;
            retention_days: number;
            limit_bytes: number;
        };
        /**
         * ImportAnswer
         * @description What was imported, and what was stored already. `beside` counts texts that differ from the learner's own: the learner's stay, and the
         *         imported ones are added to the cells' earlier texts.
         */
        ImportAnswer: {
            taken: components["schemas"]["ImportCounts"];
            already: components["schemas"]["ImportCounts"];
            /** @default 0 */
            beside: number;
        };
        /**
         * ImportCounts
         * @description How many of each kind. `exercises` counts standings.
         */
        ImportCounts: {
            /** @default 0 */
            cells: number;
            /** @default 0 */
            predictions: number;
            /** @default 0 */
            exercises: number;
            /** @default 0 */
            attempts: number;
            /** @default 0 */
            drafts: number;
            /** @default 0 */
            versions: number;
        };
        /**
         * InstrumentsAnswer
         * @description The instruments of one runtime; `instruments` of `POST /api/runs` takes their names.
         */
        InstrumentsAnswer: {
            runtime: string;
            instruments: components["schemas"]["InstrumentEntry"][];
        };
        /**
         * InstrumentEntry
         * @description An instrument. `cost` is its time in a run in which it finds something; `default` says that it is on unless it is switched off.
         */
        InstrumentEntry: {
            name: string;
            /** @enum {unknown} */
            cost: "large" | "none" | "small";
            default: boolean;
            shows: string;
        };
        /**
         * LessonAnswer
         * @description The answer of `GET /api/lessons/{chapter}/{lesson}`.
         *
         *         In `html`, `<div data-cell="id"></div>` is the place of a cell, `<div data-prediction="id"></div>` that of a prediction, and
         *         `<div data-exercise="id"></div>` that of an exercise.
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
            predictions: components["schemas"]["PredictionEntry"][];
            /** @default [] */
            exercises: components["schemas"]["ExerciseEntry"][];
        };
        /**
         * CellAnswer
         * @description A cell: its starter source, the cells that are run before it, and its runtime.
         */
        CellAnswer: {
            id: string;
            filename: string;
            source: string;
            after: string[];
            raises: string | null;
            /** @enum {unknown} */
            runtime: "jax" | "tensorflow" | "torch";
        };
        /**
         * PredictionEntry
         * @description A question about what a cell will do. `question` and `choices` are HTML; `asks` is the form of the answer.
         *
         *         An answer to `choices` is the number of a choice, counted from 1. `names` are the names to choose from, besides "none".
         */
        PredictionEntry: {
            id: string;
            cell: string;
            /** @enum {unknown} */
            asks: "choice" | "isolated" | "line" | "nodes" | "shape" | "value" | "verdict";
            question: string;
            choices: string[];
            names: string[];
        };
        /**
         * ExerciseEntry
         * @description An exercise. `html` is the task, `hints` are HTML, in order, and `hidden` is the number of hidden checks.
         *
         *         `after` are the cells that are run before a submission. `continues` is the exercise whose program this one continues; `starter` is then
         *         only the new part.
         */
        ExerciseEntry: {
            id: string;
            /** @enum {unknown} */
            kind: "blank" | "fix" | "test" | "write";
            title: string;
            html: string;
            filename: string;
            starter: string;
            continues: string | null;
            after: string[];
            hints: string[];
            checks: components["schemas"]["VisibleCheck"][];
            hidden: number;
        };
        /**
         * VisibleCheck
         * @description A check that learners see. `title` is plain text.
         */
        VisibleCheck: {
            id: string;
            title: string;
        };
        /**
         * PredictionAnswer
         * @description `right` is null if no answer was given. `answer` is the right answer, in the form that the prediction `asks` for.
         *
         *         `explanation` is HTML: what is wrong with the given answer, if the lesson says it, then why the right one is right. `run` is a
         *         RunResult.
         */
        PredictionAnswer: {
            right: boolean | null;
            answer: number | string | number[];
            explanation: string;
            run: components["schemas"]["RunResult"];
        };
        /**
         * ReadinessAnswer
         * @description The server can run programs. `not_kept` is the reason why nothing is stored now, "at_limit" or a fault of the store, else null.
         */
        ReadinessAnswer: {
            versions: {
                [key: string]: string;
            };
            /**
             * @default ready
             * @enum {unknown}
             */
            status: "ready";
            /** @default null */
            not_kept: string | null;
        };
        /**
         * RunResult
         * @description The records are JSON, as they came: app.protocol.records.registry.decode_records makes them typed.
         *
         *         `recorded`: only where nothing was run, and this is what the lesson has recorded.
         */
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
            records: (components["schemas"]["GraphRecord"] | components["schemas"]["GradcheckRecord"] | components["schemas"]["ValueRecord"] | components["schemas"]["FigureRecord"] | components["schemas"]["FaultRecord"] | components["schemas"]["SavedRecord"] | components["schemas"]["Diagnosis"] | components["schemas"]["UnknownRecord"])[];
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
            /** @default null */
            recorded: components["schemas"]["RecordedNote"] | null;
        };
        /**
         * Outcome
         * @enum {unknown}
         */
        Outcome: "crashed" | "finished" | "forbidden" | "out_of_memory" | "output_limit" | "raised" | "stopped" | "timed_out";
        /**
         * RunError
         * @description `explanation`: what it means and what to try, in the run's language.
         *
         *         `stumble`: the id of the common mistake that it is (app/runner/stumbles). `name`: the variable, module or class that this is about.
         */
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
            /** @default null */
            stumble: string | null;
            /** @default null */
            name: string | null;
        };
        /**
         * Frame
         * @description One of the learner's own frames in a traceback; `source` is the line's text, which the runner takes from the program.
         */
        Frame: {
            cell: string | null;
            line: number | null;
            column: number | null;
            function: string;
            source: string;
        };
        /** Timing */
        Timing: {
            queued_ms: number;
            run_ms: number;
            total_ms: number;
        };
        /**
         * RecordedNote
         * @description Says, in the result's language, what it was recorded with, and how the cell could be run.
         */
        RecordedNote: {
            mark: string;
            remedy: string;
        };
        /**
         * SandboxAnswer
         * @description What operators are told, by the API and by `gradroom sandbox check`: the report, and whether programs are run.
         *
         *         The report is the default runtime's; `runtimes` has that of each.
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
            /** @default [] */
            runtimes: components["schemas"]["RuntimeStatus"][];
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
         * RuntimeStatus
         * @description One runtime of a runner. `idle`: nobody has asked for it, and it starts when somebody does; `absent`: it is not installed.
         *
         *         `reason` says why it failed, or what installs it; `versions` and `sandbox` are there once it was ready.
         */
        RuntimeStatus: {
            /** @enum {unknown} */
            name: "jax" | "tensorflow" | "torch";
            installed: boolean;
            /** @enum {unknown} */
            state: "absent" | "failed" | "idle" | "ready" | "starting";
            /** @default null */
            reason: string | null;
            /** @default {} */
            versions: {
                [key: string]: string;
            };
            /** @default null */
            sandbox: components["schemas"]["SandboxReport"] | null;
        };
        /**
         * SandboxReport
         * @description `setting`: root, user, container or none. `safe` is false when a layer that must hold does not, or an attack was not refused.
         */
        SandboxReport: {
            setting: string;
            safe: boolean;
            /** @default [] */
            layers: components["schemas"]["Layer"][];
            /** @default [] */
            checks: components["schemas"]["Check"][];
            /** @default [] */
            degraded: string[];
        };
        /**
         * SavedAnswer
         * @description The text is saved as this version.
         */
        SavedAnswer: {
            version: number;
        };
        /**
         * SolutionAnswer
         * @description A right program, and other right ones that are written differently.
         */
        SolutionAnswer: {
            source: string;
            solutions: components["schemas"]["SolutionSource"][];
        };
        /** SolutionSource */
        SolutionSource: {
            name: string;
            source: string;
        };
        /**
         * StopAnswer
         * @description The run is being stopped.
         */
        StopAnswer: {
            id: string;
        };
        /**
         * SubmissionAnswer
         * @description The outcome of a submission. `after` is HTML that is shown once the exercise is solved, otherwise empty.
         *
         *         `run` is a RunResult. It is null in the repeated answer to an old submission of which only the verdict is still stored.
         *         `receipt` proves that the submission was stored. If it is null, `not_kept` says why: "no_learner" (no cookie), "stopped", "too_much",
         *         "key_used"; a fault of the store: "full", "read_only", "locked", "broken", "outdated", "too_new", "unreachable"; or the store accepts
         *         nothing at this moment: "at_limit" from anybody, "address_at_limit" from the learner's network address.
         */
        SubmissionAnswer: {
            passed: boolean;
            checks: components["schemas"]["CheckAnswer"][];
            hidden: components["schemas"]["HiddenAnswer"];
            run: components["schemas"]["RunResult"] | null;
            /** @default null */
            mistake: components["schemas"]["MistakeAnswer"] | null;
            /** @default  */
            after: string;
            /** @default null */
            receipt: components["schemas"]["Receipt"] | null;
            /** @default null */
            not_kept: string | null;
        };
        /**
         * HiddenAnswer
         * @description How many hidden checks there are, and how many of them passed.
         */
        HiddenAnswer: {
            passed: number;
            total: number;
        };
        /**
         * Receipt
         * @description Proves that a submission was kept. `at` is UTC, as ISO 8601; `sha256` is of the source as UTF-8.
         */
        Receipt: {
            id: string;
            at: string;
            sha256: string;
        };
        /**
         * ErrorBody
         * @description The body of every error.
         */
        ErrorBody: {
            error: components["schemas"]["ErrorDetail"];
        };
        /**
         * ErrorDetail
         * @description An error. `field` is the wrong field, and `draft` is the server's text after a `draft_conflict`.
         *
         *         `reason` is the cap that was reached (learner, address, newcomers, overall, saving, savings), what is wrong with the store (full,
         *         read_only, locked, broken, outdated, too_new, unreachable), or why it stores no more (at_limit, address_at_limit). `recorded` says that
         *         the lesson has a recorded result of the cell, which answers a run of the cell's own source.
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
            /** @default null */
            draft: components["schemas"]["SavedDraft"] | null;
            /** @default false */
            recorded: boolean;
        };
        /**
         * GraphRecord
         * @description `dot`, all pictures, `folds` and `note` (why the whole is not drawn) are set by the runner only.
         *
         *         `svg` is the picture of the whole graph, `folded_svg` that in which each fold is one node.
         */
        GraphRecord: {
            /** @enum {unknown} */
            kind: "graph";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
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
            /** @default null */
            folded_svg: string | null;
            /** @default [] */
            folds: components["schemas"]["GraphFold"][];
        };
        /**
         * GraphNode
         * @description `name`: what make_dot was told to call a tensor, else torchviz's word. `makes`: names of a function's results without a node.
         *
         *         `sequence`: the function's place in the order in which autograd recorded them, from 0. `saved_role`: what a saved tensor is to its
         *         function, where that is known.
         */
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
            /** @default null */
            sequence: number | null;
            /** @default null */
            saved_role: ("input" | "output") | null;
            /** @default null */
            makes: string | null;
        };
        /**
         * GraphEdge
         * @description An edge in torchviz's direction, from inputs to outputs. Along one of kind "gradient", gradients flow from `target` to `source`.
         *
         *         "saved" joins a function and a tensor that it saved, either way; "view" leads from a tensor to a view of it; "missing" marks a path that
         *         should exist and does not.
         */
        GraphEdge: {
            source: string;
            target: string;
            /**
             * @default gradient
             * @enum {unknown}
             */
            kind: "gradient" | "missing" | "saved" | "view";
            /** @default false */
            missing: boolean;
        };
        /**
         * GraphFold
         * @description What a folded picture draws as one node, called `id` there: the same functions, `times` times one after another.
         *
         *         `nodes`: the ids of all in it, repetition by repetition. `svg`: one repetition, from the middle, with its neighbours.
         */
        GraphFold: {
            id: string;
            label: string;
            times: number;
            nodes: string[];
            /** @default null */
            svg: string | null;
        };
        /**
         * ValueRecord
         * @description `tensor`: the id of a tensor; `values`: its entries, nested as its shape says, `VALUE_ENTRIES` at most. Raises ValueError.
         */
        ValueRecord: {
            /** @enum {unknown} */
            kind: "value";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            text: string;
            /** @default null */
            tensor: string | null;
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
        /**
         * FigureRecord
         * @description The child sends `drawing`, `png` (base64), or the `error` that matplotlib raised while it drew.
         *
         *         The runner makes of it an `svg`, a new `png`, or a `note` why there is neither. `width` and `height` are in CSS pixels. `texts`:
         *         title, labels and legend, in reading order. Raises ValueError.
         */
        FigureRecord: {
            /** @enum {unknown} */
            kind: "figure";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            width: number;
            height: number;
            /** @default [] */
            texts: string[];
            /** @default null */
            svg: string | null;
            /** @default null */
            png: string | null;
            /** @default null */
            note: string | null;
            /** @default null */
            error: string | null;
            drawing?: components["schemas"]["FigureElement"][];
        };
        /**
         * FigureElement
         * @description An element of a drawing. `png`: base64, of an `image` alone. Raises ValueError for an attribute that is not listed above.
         */
        FigureElement: [
            "clipPath" | "defs" | "g" | "image" | "path" | "pattern" | "rect" | "text" | "use",
            {
                [key: string]: string;
            },
            components["schemas"]["FigureElement"][],
            string,
            string | null
        ];
        /**
         * FaultRecord
         * @description `instrument` is the name of the one that failed; `reason`, its exception, is for whoever reports or fixes it.
         */
        FaultRecord: {
            /** @enum {unknown} */
            kind: "fault";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            instrument: string;
            reason: string;
        };
        /**
         * SavedRecord
         * @description `call`: this call of the Function `function`. `node`: its node in the backward graph; None if no gradient was asked for.
         */
        SavedRecord: {
            /** @enum {unknown} */
            kind: "saved";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            call: string;
            /** @default null */
            node: string | null;
            function: string;
            /** @default [] */
            saved: components["schemas"]["SavedTensor"][];
        };
        /**
         * SavedTensor
         * @description A tensor that ctx keeps, called `tensor` in the whole run.
         *
         *         `version` and `version_now` count its changes in place, as PyTorch does: when it was saved, and when it was last looked at.
         */
        SavedTensor: {
            tensor: string;
            name: string;
            /** @enum {unknown} */
            how: "ctx_attribute" | "save_for_backward";
            /** @enum {unknown} */
            role: "input" | "intermediate" | "other" | "output";
            /** @default null */
            shape: number[] | null;
            /** @default null */
            dtype: string | null;
            /** @default 0 */
            bytes: number;
            /** @default 0 */
            version: number;
            /** @default 0 */
            version_now: number;
            /** @default false */
            retained_after_backward: boolean;
        };
        /**
         * Diagnosis
         * @description `code`: the pitfall's public name. `values`: the numbers, shapes and names that its words mention. `evidence`: ids of what shows it.
         *
         *         Of the child's it carries no text: the runner sets `message`, `change` and `lesson` ("chapter/lesson") in the run's language, whatever
         *         was sent (app.diagnoses). They are None for a code that has no words.
         */
        Diagnosis: {
            /** @enum {unknown} */
            kind: "diagnosis";
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
            code: string;
            /** @enum {unknown} */
            severity: "error" | "hint" | "warning";
            /** @default {} */
            values: {
                [key: string]: number | boolean | number[] | string;
            };
            /** @default [] */
            evidence: string[];
            /** @default null */
            message: string | null;
            /** @default null */
            change: string | null;
            /** @default null */
            lesson: string | null;
        };
        /**
         * UnknownRecord
         * @description A record of a kind that this document does not know; it may have any other fields. Show its `kind`, and its JSON folded.
         */
        UnknownRecord: {
            kind: string;
            /** @default  */
            id: string;
            /** @default null */
            span: components["schemas"]["Span"] | null;
            /** @default [] */
            refs: string[];
            /** @default  */
            title: string;
            /** @default 0 */
            stdout_offset: number;
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
