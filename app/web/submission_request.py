"""The bodies of what is asked of exercises and predictions. A field's description is a msgid, as in app.web.run_request."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints

from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.run_request import PythonSource

LANG_WORDS = mark('"en" or "zh-Hans"')
MOST_AXES = 64
ShortText = Annotated[str, StringConstraints(max_length=200)]
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
PredictedAnswer = Whole | FiniteFloat | ShortText | Annotated[list[int], Field(max_length=MOST_AXES)] | None
STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)


class SubmissionRequest(BaseModel):
    """A learner's program for an exercise."""

    model_config = STRICT

    source: PythonSource = Field(description=mark("Python source as text, at most 65,536 bytes as UTF-8, without lone surrogates"))
    seed: int = Field(0, ge=0, le=2**32 - 1, description=mark("a whole number from 0 to 4294967295"))
    lang: Lang | None = Field(None, description=LANG_WORDS)


class PredictionRequest(BaseModel):
    """What a learner predicts, in the form that the question asks for; null: "show me"."""

    model_config = STRICT

    answer: PredictedAnswer = Field(description=mark("a number, a text, a list of whole numbers, or null"))
    lang: Lang | None = Field(None, description=LANG_WORDS)


class SolutionRequest(BaseModel):
    """That the solution is to be shown."""

    model_config = STRICT

    lang: Lang | None = Field(None, description=LANG_WORDS)
