"""`POST /api/lessons/{chapter}/{lesson}/exercises/{exercise}/submissions` grades a program; `…/solution` shows the solution."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import Response

from app.grading.submission_answer import CheckAnswer, SubmissionAnswer, answer_submission, describe_check
from app.grading.words import was_stopped
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.protocol.grading import CheckResult, Verdict
from app.web.announcements import SolutionShown, Submitted
from app.web.api.events import EVENT_STREAM, answer_run
from app.web.api.rated_route import RatedRoute
from app.web.api.runs import RUN_ID_HEADER
from app.web.api.submission_request import SubmissionRequest
from app.web.http.answer import describe_answer, describe_errors, encoder, json_response
from app.web.http.errors import BadField
from app.web.http.language import request_lang
from app.web.runs.answered_runs import GradedRun, RepeatedAnswer
from app.web.runs.lesson_parts import find_exercise, find_lesson
from app.web.runs.retained_results import hold_for
from app.web.runs.run_service import AcceptedRun, FollowedRun
from app.web.services import PrincipalDep, ServicesDep, services_of
from app.web.storing.claimed_keys import AskedOtherwise, Claim, FirstAnswer, Key
from app.web.storing.stored_submissions import tell_again

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

router = APIRouter(prefix="/api/lessons/{chapter}/{lesson}/exercises/{exercise}", tags=["Exercises"], route_class=RatedRoute)


class SolutionSource(msgspec.Struct, kw_only=True):
    name: str
    source: str


class SolutionAnswer(msgspec.Struct, kw_only=True):
    """One right program, and others that are just as right, written differently."""

    source: str
    solutions: list[SolutionSource]


class Submission:
    """One program for one exercise, from the request until it has its answer."""

    def __init__(self, request: Request, lesson: Lesson, exercise: Exercise, body: SubmissionRequest) -> None:
        self._request, self._services, self._principal = request, services_of(request), request.state.principal
        self._lesson, self._exercise, self._body = lesson, exercise, body
        self._lang = request_lang(request)
        self._sha256 = sha256(body.source.encode()).hexdigest()
        self._key: Key | None = None
        self._claim: Claim | None = None

    async def start(self, stack: AsyncExitStack, key: str | None) -> FollowedRun:
        """Its run, accepted, or the answer that it got before. Raises ApiError and RunnerError if it is not accepted."""
        hold = stack.enter_context(hold_for(self._request, self._services.held_results))
        if key is not None and self._principal.learner is not None:
            self._key = Key(self._principal.learner, self._lesson.path, self._exercise.id, key)
            self._claim = await self._claim_key(stack, self._key)
            if self._claim.answer is not None:
                return RepeatedAnswer(self._claim.answer.run_id, self._lang, hold, self._claim.answer.data)
        grading = self._services.runs.grade(self._lesson, self._exercise, self._body.source, self._body.seed, self._principal, self._lang)
        run = await stack.enter_async_context(grading)
        return GradedRun(run, hold, self._tell, lambda verdict, result: self._decide(run, verdict, result))

    async def _claim_key(self, stack: AsyncExitStack, key: Key) -> Claim:
        """The claim, with the answer if there is one, of a request that is under way or from the store. Raises BadField."""
        try:
            claim = await stack.enter_async_context(self._services.claimed_keys.claim(key, f"{self._sha256} {self._body.seed}"))
        except AskedOtherwise:
            raise BadField(KEY_HEADER, KEY_USED, "key_used") from None
        if claim.answer is None and (kept := await self._services.submissions.find(key)) is not None:
            if not kept.is_of(self._sha256, self._body.seed):
                raise BadField(KEY_HEADER, KEY_USED, "key_used")
            claim.settle(tell_again(self._exercise, kept, self._lang))
        return claim

    def _tell(self, check: CheckResult) -> CheckAnswer | None:
        return describe_check(self._exercise, check, self._lang)

    async def _decide(self, run: AcceptedRun, verdict: Verdict, result: bytes) -> bytes:
        """The answer as JSON, which is sent next: the submission is kept by then, or the answer says that it is not."""
        answer = answer_submission(self._exercise, verdict, result, self._lang)
        if was_stopped(verdict):
            answer.not_kept = "stopped"
            return encoder.encode(answer)
        submitted = Submitted(
            principal=self._principal,
            lesson=self._lesson.path,
            exercise=self._exercise.id,
            run_id=run.id,
            key=self._key.key if self._key else None,
            source=self._body.source,
            source_sha256=self._sha256,
            seed=self._body.seed,
            verdict=verdict,
            answer=answer,
        )
        kept = await self._services.submissions.keep(submitted)
        if kept is None:
            self._services.announcer.tell(submitted)
            first = FirstAnswer(run.id, encoder.encode(answer))
        else:
            first = tell_again(self._exercise, kept, self._lang)
        if self._claim is not None:
            self._claim.settle(first)
        return first.data


async def start_submission(
    request: Request,
    chapter: str,
    lesson: str,
    exercise: str,
    body: SubmissionRequest,
    idempotency_key: Annotated[str | None, Header(description=KEY_WORDS)] = None,
) -> AsyncIterator[FollowedRun]:
    """The submission's run. It is over, or killed, when the request is."""
    request.state.lang = body.lang
    found = find_lesson(services_of(request).catalogue, f"{chapter}/{lesson}")
    if idempotency_key is not None and not KEY.fullmatch(idempotency_key):
        raise BadField(KEY_HEADER, mark("1 to 128 visible ASCII characters"))
    submission = Submission(request, found, find_exercise(found, exercise), body)
    async with AsyncExitStack() as stack:
        yield await submission.start(stack, idempotency_key)


@router.post(
    "/submissions",
    summary="Have a program graded",
    description=STREAM,
    responses={
        **describe_answer(SubmissionAnswer, "It was graded", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 413, 415, 422, 429, 500, 503),
    },
)
async def post_submission(request: Request, run: Annotated[FollowedRun, Depends(start_submission)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)


@router.post(
    "/solution",
    summary="Show the solution",
    description="That it was shown is recorded.",
    responses={**describe_answer(SolutionAnswer), **describe_errors(404, 413, 429)},
)
async def post_solution(chapter: str, lesson: str, exercise: str, services: ServicesDep, principal: PrincipalDep) -> Response:
    found = find_lesson(services.catalogue, f"{chapter}/{lesson}")
    shown = find_exercise(found, exercise)
    services.announcer.tell(SolutionShown(principal=principal, lesson=found.path, exercise=shown.id))
    others = [SolutionSource(name=name, source=source) for name, source in shown.solutions.items() if name != "solution"]
    return json_response(SolutionAnswer(source=shown.solution, solutions=others))
