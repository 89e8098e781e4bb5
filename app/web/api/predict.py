"""`POST /api/lessons/{chapter}/{lesson}/predictions/{prediction}`: accepts an answer, or null, runs the cell and judges the answer."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Request
from pydantic import Field, FiniteFloat, StringConstraints, ValidationError, ValidatorFunctionWrapHandler, WrapValidator
from starlette.responses import Response

from app.classroom.store.times import now_ms
from app.classroom.work import predictions
from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Answer, Prediction
from app.lessons.predictions.prediction_answer import WrongForm, explain, is_right, read_answer
from app.locale.messages import mark
from app.protocol.event_frame import EventFrame, frame_json
from app.protocol.run import Lang
from app.web.api.events import answer_run
from app.web.api.rated_route import RatedRoute
from app.web.api.runs import RUN_ID_HEADER
from app.web.guards.access import ANYONE, allow
from app.web.guards.principal import Principal
from app.web.http.answer import EVENT_STREAM, describe_answer, describe_errors, encoder
from app.web.http.errors import BadField
from app.web.http.language import request_lang
from app.web.runs.order import find_lesson, find_prediction
from app.web.runs.result_buffers import COPIES, ResultBuffer, open_buffer
from app.web.runs.run_request import ReaderLang, RunRequest, StrictBody
from app.web.runs.run_service import FollowedRun
from app.web.services import Services, services_of
from app.web.storing.stored_predictions import encode_answer, hash_question, render_answer

STREAM = (
    "Runs the prediction's cell as the lesson gives it. It answers with what the prediction was worth or, where `text/event-stream` is "
    "accepted, with the events of the run as in `POST /api/runs` up to its `result`, and at last `prediction` (the whole answer), or "
    "`error {code, message}` when the fault is ours."
)

MOST_AXES = 64
ShortText = Annotated[str, StringConstraints(max_length=200)]
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]

router = APIRouter(prefix="/api/lessons/{chapter}/{lesson}/predictions", tags=["Exercises"], route_class=RatedRoute)


def read_form(answer: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """Return the answer, or "" if it has none of the possible forms.

    No question accepts "". The request is therefore answered with a 422, which says what form this question asks for.
    """
    if isinstance(answer, list) and len(answer) > MOST_AXES:
        return ""
    try:
        return read(answer)
    except ValidationError:
        return ""


PredictedAnswer = Annotated[Whole | FiniteFloat | ShortText | list[int] | None, WrapValidator(read_form)]


class PredictionRequest(StrictBody):
    """A learner's prediction, in the form that the question asks for. Null means "show me"."""

    answer: PredictedAnswer = Field(description=mark("a number, a text, a list of whole numbers, or null"))
    lang: ReaderLang = None


class PredictionAnswer(msgspec.Struct, kw_only=True):
    """The judged answer. `right` is null if no answer was given. `answer` is the right answer, in the form that the prediction `asks` for.

    `explanation` is HTML. It says what is wrong with the given answer, if the lesson explains that, and then why the right answer is right.
    `run` is a RunResult.
    """

    right: bool | None
    answer: float | int | str | list[int]
    explanation: str
    run: msgspec.Raw


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """What a learner answered to a prediction. `answer` is None if the learner asked to see the answer."""

    principal: Principal
    lesson: Lesson
    prediction: Prediction
    answer: Answer | None

    @property
    def right(self) -> bool | None:
        return None if self.answer is None else is_right(self.prediction, self.answer)


class PredictedRun:
    """The run of a prediction's cell, as a stream for its client: the events of the run, and then a PredictionAnswer."""

    answers_with: str = "prediction"

    def __init__(self, services: Services, given: GivenAnswer, run: FollowedRun, buffer: ResultBuffer) -> None:
        self.id, self.lang = run.id, run.lang
        self._services, self._given, self._run, self._buffer = services, given, run, buffer

    async def __aiter__(self) -> AsyncIterator[EventFrame]:
        async for frame in self._run:
            if frame.kind != "result":
                yield frame
                continue
            result = await frame.whole()
            self._buffer.count(COPIES * len(result))
            yield frame_json("result", result)
            answer = encode_answer_to(self._given, result, self.lang)
            self._record()
            yield frame_json("prediction", answer)

    def _record(self) -> None:
        given = self._given
        self._services.store.write_later(
            given.principal,
            predictions.record_prediction,
            lesson=given.lesson.path,
            prediction=given.prediction.id,
            about=hash_question(given.lesson, given.prediction),
            answer=render_answer(given.answer),
            right=given.right,
            now_ms=now_ms(),
        )

    def fail(self) -> None:
        self._run.fail()


async def start_prediction(
    request: Request, chapter: str, lesson: str, prediction: str, body: PredictionRequest
) -> AsyncIterator[PredictedRun]:
    """Start the run of the prediction's cell, and yield it. If the request ends first, the run is killed."""
    request.state.lang = body.lang
    services, principal = services_of(request), request.state.principal
    found = find_lesson(services.catalogue, f"{chapter}/{lesson}")
    asked = find_prediction(found, prediction)
    given = GivenAnswer(principal=principal, lesson=found, prediction=asked, answer=parse_answer(asked, body))
    with open_buffer(request, services.result_buffers) as buffer:
        async with services.runs.start(request_cell(found, asked), principal, request_lang(request)) as run:
            yield PredictedRun(services, given, run, buffer)


def parse_answer(prediction: Prediction, body: PredictionRequest) -> Answer | None:
    try:
        return None if body.answer is None else read_answer(prediction, body.answer)
    except WrongForm as error:
        raise BadField("answer", error.expected, "bad_field", **error.values) from None


def request_cell(lesson: Lesson, prediction: Prediction) -> RunRequest:
    cell = lesson.cell(prediction.cell_id)
    assert cell is not None, "a lesson whose prediction has no cell is not loaded"
    return RunRequest.model_validate({"source": cell.source, "lesson": lesson.path, "cell": cell.id})


def encode_answer_to(given: GivenAnswer, result: bytes, lang: Lang) -> bytes:
    """Return the PredictionAnswer as JSON. `result` is the JSON of the run's result."""
    return encoder.encode(
        PredictionAnswer(
            right=given.right,
            answer=encode_answer(given.prediction.answer),
            explanation=explain(given.prediction, given.answer, lang),
            run=msgspec.Raw(result),
        )
    )


@router.post(
    "/{prediction}",
    summary="Predict, then run",
    description=STREAM,
    responses={
        **describe_answer(PredictionAnswer, "It ran", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 413, 415, 422, 429, 500, 503),
    },
)
@allow(ANYONE)
async def post_prediction(request: Request, run: Annotated[PredictedRun, Depends(start_prediction)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)
