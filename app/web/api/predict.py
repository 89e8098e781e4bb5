"""`POST /api/lessons/{chapter}/{lesson}/predictions/{prediction}`: an answer is given, or not, then the cell is run, and shows."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Answer, Prediction
from app.lessons.predictions.prediction_answer import WrongForm, explain, is_right, read_answer
from app.protocol.run import Lang
from app.web.announcements import Predicted
from app.web.api.events import EVENT_STREAM, answer_run
from app.web.api.rated_route import RatedRoute
from app.web.api.runs import RUN_ID_HEADER
from app.web.api.submission_request import PredictionRequest
from app.web.guards.sessions import Principal
from app.web.http.answer import describe_answer, describe_errors, encoder
from app.web.http.errors import BadField
from app.web.http.language import request_lang
from app.web.runs.answered_runs import PredictedRun
from app.web.runs.lesson_parts import find_lesson, find_prediction
from app.web.runs.retained_results import hold_for
from app.web.runs.run_request import RunRequest
from app.web.services import services_of
from app.web.storing.stored_predictions import encode_answer, hash_question, write_answer

STREAM = (
    "Runs the prediction's cell as the lesson gives it. It answers with what the prediction was worth or, where `text/event-stream` is "
    "accepted, with the events of the run as in `POST /api/runs` up to its `result`, and at last `prediction` (the whole answer), or "
    "`error {code, message}` when the fault is ours."
)

router = APIRouter(prefix="/api/lessons/{chapter}/{lesson}/predictions", tags=["Exercises"], route_class=RatedRoute)


class PredictionAnswer(msgspec.Struct, kw_only=True):
    """`right` is null if no answer was given; `answer` is the right one, in the form that the prediction `asks` for.

    `explanation` is HTML: what belongs to the wrong answer, if there is something, then why the right one is right. `run` is a RunResult.
    """

    right: bool | None
    answer: float | int | str | list[int]
    explanation: str
    run: msgspec.Raw


async def start_prediction(
    request: Request, chapter: str, lesson: str, prediction: str, body: PredictionRequest
) -> AsyncIterator[PredictedRun]:
    """The run that answers. It is over, or killed, when the request is."""
    request.state.lang = body.lang
    services, lang = services_of(request), request_lang(request)
    found = find_lesson(services.catalogue, f"{chapter}/{lesson}")
    asked = find_prediction(found, prediction)
    answer = read_given(asked, body)
    running = services.runs.start(ask_run(found, asked), request.state.principal, lang)

    def decide(result: bytes) -> bytes:
        told = tell_prediction(asked, answer, result, lang)
        services.announcer.tell(announce_prediction(request.state.principal, found, asked, answer))
        return told

    with hold_for(request, services.held_results) as hold:
        async with running as run:
            yield PredictedRun(run, hold, decide)


def announce_prediction(principal: Principal, lesson: Lesson, prediction: Prediction, answer: Answer | None) -> Predicted:
    return Predicted(
        principal=principal,
        lesson=lesson.path,
        prediction=prediction.id,
        about=hash_question(lesson, prediction),
        answer=write_answer(answer),
        right=None if answer is None else is_right(prediction, answer),
    )


def read_given(prediction: Prediction, body: PredictionRequest) -> Answer | None:
    try:
        return None if body.answer is None else read_answer(prediction, body.answer)
    except WrongForm as error:
        raise BadField("answer", error.expected, "bad_field", **error.values) from None


def ask_run(lesson: Lesson, prediction: Prediction) -> RunRequest:
    cell = lesson.cell(prediction.cell_id)
    assert cell is not None, "a lesson whose prediction has no cell is not loaded"
    return RunRequest.model_validate({"source": cell.source, "lesson": lesson.path, "cell": cell.id})


def tell_prediction(prediction: Prediction, answer: Answer | None, result: bytes, lang: Lang) -> bytes:
    told = PredictionAnswer(
        right=None if answer is None else is_right(prediction, answer),
        answer=encode_answer(prediction.answer),
        explanation=explain(prediction, answer, lang),
        run=msgspec.Raw(result),
    )
    return encoder.encode(told)


@router.post(
    "/{prediction}",
    summary="Predict, then run",
    description=STREAM,
    responses={
        **describe_answer(PredictionAnswer, "It ran", headers=RUN_ID_HEADER, other_forms=(EVENT_STREAM,)),
        **describe_errors(404, 413, 415, 422, 429, 500, 503),
    },
)
async def post_prediction(request: Request, run: Annotated[PredictedRun, Depends(start_prediction)]) -> Response:
    return await answer_run(request, run, services_of(request).settings.keep_alive_seconds)
