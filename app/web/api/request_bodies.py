"""The bodies of requests about exercises and predictions. As in app.web.runs.run_request, a field's description is a msgid."""

from typing import Annotated, Any

from pydantic import (
    Field,
    FiniteFloat,
    StringConstraints,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from app.locale.messages import mark
from app.web.runs.run_request import Program, ReaderLang, Seed, StrictBody

MOST_AXES = 64
ShortText = Annotated[str, StringConstraints(max_length=200)]
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]


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


class SubmissionRequest(StrictBody):
    """A learner's program for an exercise."""

    source: Program
    seed: Seed = 0
    lang: ReaderLang = None


class PredictionRequest(StrictBody):
    """A learner's prediction, in the form that the question asks for. Null means "show me"."""

    answer: PredictedAnswer = Field(description=mark("a number, a text, a list of whole numbers, or null"))
    lang: ReaderLang = None
