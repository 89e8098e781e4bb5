"""The body of `POST /api/runs`. A field's description is also what a 422 says was expected of it, so it is a msgid."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from app.locale.messages import mark
from app.protocol.limits import SOURCE_BYTES
from app.protocol.run import Lang, RuntimeName
from app.web.errors import TooLong

EXAMPLE = "import torch\n\nx = torch.tensor(2.0, requires_grad=True)\n(x**3).backward()\nx.grad"
NAME = "[a-z0-9]+(-[a-z0-9]+)*"


def check_length(source: str) -> str:
    size_bytes = len(source.encode())  # a lone surrogate raises a ValueError
    if size_bytes > SOURCE_BYTES:
        raise TooLong(size_bytes)
    return source


PythonSource = Annotated[str, AfterValidator(check_length)]
CellId = Annotated[str, StringConstraints(pattern=f"^{NAME}$", max_length=64)]
LessonPath = Annotated[str, StringConstraints(pattern=f"^{NAME}/{NAME}$", max_length=129)]
InstrumentName = Annotated[str, StringConstraints(max_length=64)]


class RunRequest(BaseModel):
    """A program, where in the course it stands, and how it is to be run."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, json_schema_extra={"examples": [{"source": EXAMPLE}]})

    source: PythonSource = Field(description=mark("Python source as text, at most 65,536 bytes as UTF-8, without lone surrogates"))
    runtime: RuntimeName | None = Field(None, description=mark("the name of a runtime that is installed"))
    lesson: LessonPath | None = Field(None, description=mark('a lesson, written "chapter/lesson"'))
    cell: CellId | None = Field(None, description=mark("the id of a cell"))
    sources: dict[CellId, PythonSource] = Field(
        {},
        max_length=64,
        description=mark("an object from ids of cells to Python source, each at most 65,536 bytes as UTF-8, without lone surrogates"),
    )
    seed: int = Field(0, ge=0, le=2**32 - 1, description=mark("a whole number from 0 to 4294967295"))
    instruments: list[InstrumentName] | None = Field(None, max_length=32, description=mark("a list of at most 32 names of instruments"))
    lang: Lang | None = Field(None, description=mark('"en" or "zh-Hans"'))
