"""`POST /api/lessons/{chapter}/{lesson}/exercises/{exercise}/submissions` grades a program; `…/solution` shows the solution."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Annotated

import msgspec
import structlog
from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import Response

from app.classroom.store.times import now_ms
from app.classroom.work import attempts
from app.grading.submission_answer import SubmissionAnswer, answer_submission, describe_check, was_stopped
from app.locale.messages import mark
from app.protocol.event_frame import EventFrame, frame_json
from app.protocol.grading import CheckResult, Verdict
from app.runner.client import decode
from app.web.api.events import answer_run
from app.web.api.rated_route import RatedRoute
from app.web.api.runs import RUN_ID_HEADER
from app.web.guards.access import ANYONE, allow
from app.web.guards.principal import Principal
from app.web.http.answer import EVENT_STREAM, describe_answer, describe_errors, encoder, json_response
from app.web.http.errors import ApiError, BadField, NoLearner
from app.web.http.language import request_lang
from app.web.runs.order import find_exercise, find_lesson
from app.web.runs.recorded_runs import KnownRun
from app.web.runs.result_buffers import COPIES, ResultBuffer, open_buffer
from app.web.runs.run_request import Program, ReaderLang, Seed, StrictBody
from app.web.runs.run_service import AcceptedRun, FollowedRun
from app.web.services import PrincipalDep, Services, ServicesDep, services_of
from app.web.storing.claimed_keys import AskedOtherwise, Claim, FirstAnswer, Key
from app.web.storing.stored_submissions import Submission, repeat_answer, verdicts

KEY_HEADER = "Idempotency-Key"
KEY = re.compile(r"[!-~]{1,128}")
KEY_USED = mark("a key that was not used for another source")
KEY_WORDS = (
    "Chosen by the client, 1 to 128 visible ASCII characters. The same learner, exercise and key get the first answer again, with "
    "its receipt, in the language in which it was given, and are not counted twice; later, when that answer is not kept any more, one that "
    "is made of its verdict, with `run` null. With another source or seed it is a 422. It works only for clients that send the cookie."
)
STREAM = (
    "Runs the program, then the exercise's checks. It answers with the outcome or, where `text/event-stream` is accepted, with the "
    "events of the run as in `POST /api/runs` up to its `result`, then `check` (one of the answer's `checks`) for each that "
    "is not hidden, as it is decided, and at last `submission` (the whole answer), or `error {code, message}` when the fault is ours. "
    "Closing the connection kills the run, and nothing is graded. What was stopped through `DELETE /api/runs/{id}` does not count as "
    "submitted. The submission is kept before its answer, with its `receipt`, is sent; where it cannot be, `receipt` is null, and "
    "`not_kept` says why."
)

checks = msgspec.json.Decoder(CheckResult)
log = structlog.get_logger()

router = APIRouter(prefix="/api/lessons/{chapter}/{lesson}/exercises/{exercise}", tags=["Exercises"], route_class=RatedRoute)


class SubmissionRequest(StrictBody):
    """A learner's program for an exercise."""

    source: Program
    seed: Seed = 0
    lang: ReaderLang = None


class SolutionSource(msgspec.Struct, kw_only=True):
    name: str
    source: str


class SolutionAnswer(msgspec.Struct, kw_only=True):
    """The solution of an exercise, and `solutions`, other right programs."""

    source: str
    solutions: list[SolutionSource]


class GradedRun:
    """A submission's run, as a stream for its client: the events of the run, each visible check when it is decided, and the answer."""

    answers_with: str = "submission"

    def __init__(self, services: Services, submission: Submission, run: AcceptedRun, claim: Claim | None, buffer: ResultBuffer) -> None:
        self.id, self.lang = run.id, submission.lang
        self._services, self._submission, self._run, self._claim, self._buffer = services, submission, run, claim, buffer

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        result = b""
        async for frame in self._run:
            if frame.kind == "result":
                result = await frame.whole()
                self._buffer.count(COPIES * len(result))
                yield frame_json("result", result)
            elif frame.kind == "check":
                check = describe_check(self._submission.exercise, decode(await frame.whole(), checks), self.lang)
                if check is not None:
                    yield frame_json("check", encoder.encode(check))
            elif frame.kind == "verdict":
                yield frame_json("submission", await self._answer(decode(await frame.whole(), verdicts), result))
            else:
                yield frame

    async def _answer(self, verdict: Verdict, result: bytes) -> bytes:
        """Store the submission and return the answer as JSON. The answer has a receipt, or says why the submission is not stored."""
        submission = self._submission
        answer = answer_submission(submission.exercise, verdict, result, self.lang)
        if was_stopped(verdict):
            answer.not_kept = "stopped"
            return encoder.encode(answer)
        earlier = await self._services.submissions.save(submission, self.id, verdict, answer)
        if earlier is None:
            self._services.meters.count_submission(passed=verdict.passed)
            first = FirstAnswer(self.id, encoder.encode(answer))
        else:
            first = repeat_answer(submission.exercise, earlier, self.lang)
        if self._claim is not None:
            self._claim.settle(first)
        return first.data

    def fail(self) -> None:
        self._run.fail()


async def start_submission(
    request: Request,
    chapter: str,
    lesson: str,
    exercise: str,
    body: SubmissionRequest,
    idempotency_key: Annotated[str | None, Header(description=KEY_WORDS)] = None,
) -> AsyncIterator[FollowedRun]:
    """Start the submission's run and yield it. If its key was used before, yield the earlier answer instead.

    If the request ends first, the run is killed.
    """
    request.state.lang = body.lang
    services = services_of(request)
    submission = read_submission(request, f"{chapter}/{lesson}", exercise, body, idempotency_key)
    with open_buffer(request, services.result_buffers) as buffer:
        async with claim_key(services, submission) as claim:
            if claim is not None and claim.answer is not None:
                buffer.count(len(claim.answer.data))
                yield KnownRun(claim.answer.run_id, submission.lang, frame_json("submission", claim.answer.data))
                return
            async with services.runs.grade(
                submission.lesson, submission.exercise, submission.source, submission.seed, submission.principal, submission.lang
            ) as run:
                yield GradedRun(services, submission, run, claim, buffer)


def read_submission(request: Request, path: str, exercise: str, body: SubmissionRequest, key: str | None) -> Submission:
    """Return what was submitted. Raises Missing for an unknown lesson or exercise, and BadField for a malformed key."""
    lesson = find_lesson(services_of(request).catalogue, path)
    if key is not None and not KEY.fullmatch(key):
        raise BadField(KEY_HEADER, mark("1 to 128 visible ASCII characters"))
    principal: Principal = request.state.principal
    found = find_exercise(lesson, exercise)
    return Submission(
        principal=principal,
        lesson=lesson,
        exercise=found,
        source=body.source,
        seed=body.seed,
        key=Key(principal.learner, lesson.path, found.id, key) if key is not None and principal.learner is not None else None,
        lang=request_lang(request),
    )


@asynccontextmanager
async def claim_key(services: Services, submission: Submission) -> AsyncIterator[Claim | None]:
    """Claim the submission's key, and yield the claim. Yield None if the submission has no key.

    The claim has an answer if the key was used before. If a request with the same key is being graded, this waits for its answer. Raises
    BadField if the key was used for another source or seed.
    """
    if submission.key is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        try:
            asked = f"{submission.sha256} {submission.seed}"
            claim = await stack.enter_async_context(services.claimed_keys.claim(submission.key, asked))
        except AskedOtherwise:
            raise BadField(KEY_HEADER, KEY_USED, "key_used") from None
        if claim.answer is None and (stored := await services.submissions.find(submission.key)) is not None:
            if not stored.is_of(submission.sha256, submission.seed):
                raise BadField(KEY_HEADER, KEY_USED, "key_used")
            claim.settle(repeat_answer(submission.exercise, stored, submission.lang))
        yield claim


@router.post(
    "/submissions",
    summary="Have a program graded",
    description=STREAM,
    responses={
        **describe_answer(SubmissionAnswer, "It was graded", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 413, 415, 422, 429, 500, 503),
    },
)
@allow(ANYONE)
async def post_submission(request: Request, run: Annotated[FollowedRun, Depends(start_submission)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)


@router.post(
    "/solution",
    summary="Show the solution",
    description="When it may be shown is a setting of the operator, by default after a submission, or of the learner's class. That it was "
    "shown is recorded.",
    responses={**describe_answer(SolutionAnswer), **describe_errors(403, 404, 413, 429, 503)},
)
@allow(ANYONE)
async def post_solution(chapter: str, lesson: str, exercise: str, services: ServicesDep, principal: PrincipalDep) -> Response:
    found = find_lesson(services.catalogue, f"{chapter}/{lesson}")
    shown = find_exercise(found, exercise)
    await admit_solution(services, principal, found.path, shown.id)
    log.info("solution_shown", lesson=found.path, exercise=shown.id)  # the store records to whom, and the log does not
    services.store.write_later(principal, attempts.record_solution, lesson=found.path, exercise=shown.id, now_ms=now_ms())
    others = [SolutionSource(name=name, source=source) for name, source in shown.solutions.items() if name != "solution"]
    return json_response(SolutionAnswer(source=shown.solution, solutions=others))


async def admit_solution(services: Services, principal: Principal, lesson: str, exercise: str) -> None:
    """Raise ApiError or NoLearner if the sender may not see the solution yet. Raise StoreFault if the store cannot be read."""
    policy = await services.read_policy(principal, lesson)
    if policy.tries == 0:
        return
    if policy.tries is None:
        raise ApiError("solution_withheld", mark("The solutions are not shown here."), status=403)
    if principal.learner is None:
        raise NoLearner
    tries = await services.database.read(attempts.count_tries, principal.learner, lesson=lesson, exercise=exercise)
    if missing := policy.missing_tries(tries):
        words = mark("Submissions of yours until the solution is shown: {tries}.")
        raise ApiError("solution_withheld", words, status=403, tries=missing)
