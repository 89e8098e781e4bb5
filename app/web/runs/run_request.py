"""The body of `POST /api/runs`. A field's description is a msgid, because a 422 says it after "expected"."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from app.locale.messages import mark
from app.protocol.limits import NUL, SOURCE_BYTES
from app.protocol.run import Lang, RuntimeName
from app.web.http.errors import KNOWN_FIELD, BadField, TooLong

EXAMPLE = "import torch\n\nx = torch.tensor(2.0, requires_grad=True)\n(x**3).backward()\nx.grad"
MOST_SOURCES = 64
MOST_INSTRUMENTS = 32
NAME = "[a-z0-9]+(-[a-z0-9]+)*"


def check_length(source: str) -> str:
    """Return `source`. Raises TooLong, or ValueError if it has a NUL or a lone surrogate."""
    size_bytes = len(source.encode())  # a lone surrogate raises a ValueError
    if NUL in source:
        raise ValueError("NUL")
    if size_bytes > SOURCE_BYTES:
        raise TooLong(size_bytes)
    return source


PythonSource = Annotated[str, AfterValidator(check_length)]
Program = Annotated[
    PythonSource, Field(description=mark("Python source as text, at most 65,536 bytes as UTF-8, without NUL and lone surrogates"))
]
Seed = Annotated[int, Field(ge=0, le=2**32 - 1, description=mark("a whole number from 0 to 4294967295"))]
ReaderLang = Annotated[Lang | None, Field(description=mark('"en" or "zh-Hans"'))]
CellId = Annotated[str, StringConstraints(pattern=f"^{NAME}$", max_length=64)]
LessonPath = Annotated[str, StringConstraints(pattern=f"^{NAME}/{NAME}$", max_length=129)]
InstrumentName = Annotated[str, StringConstraints(max_length=64)]


class StrictBody(BaseModel):
    """A request's body. Fields that are not declared, and values of other types than declared, are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    most: ClassVar[Mapping[str, int]] = {}  # items of each field that is a list or an object

    @model_validator(mode="before")
    @classmethod
    def refuse_crowds(cls, body: Any) -> Any:
        """Refuse a body with too many fields, or with too many items in a field.

        This is done before pydantic looks at them, because it would report a fault for each.
        """
        if not isinstance(body, dict):
            return body
        if len(body) > len(cls.model_fields):
            unknown = next(name for name in body if name not in cls.model_fields)
            raise BadField(unknown.encode(errors="replace").decode(), KNOWN_FIELD, "unknown_field")
        for name, most in cls.most.items():
            if isinstance(body.get(name), dict | list) and len(body[name]) > most:
                raise BadField(name, str(cls.model_fields[name].description))
        return body


class RunRequest(StrictBody):
    """A program, its place in the course, and options of its run."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"source": EXAMPLE}]})
    most = {"sources": MOST_SOURCES, "instruments": MOST_INSTRUMENTS}

    source: Program
    runtime: RuntimeName | None = Field(None, description=mark("the name of a runtime that is installed"))
    lesson: LessonPath | None = Field(None, description=mark('a lesson, written "chapter/lesson"'))
    cell: CellId | None = Field(None, description=mark("the id of a cell"))
    exercise: CellId | None = Field(None, description=mark("the id of an exercise, in place of a cell"))
    sources: dict[CellId, PythonSource] = Field(
        {},
        max_length=MOST_SOURCES,
        description=mark(
            "an object from ids of cells to Python source, each at most 65,536 bytes as UTF-8, without NUL and lone surrogates"
        ),
    )
    seed: Seed = 0
    instruments: list[InstrumentName] | None = Field(
        None, max_length=MOST_INSTRUMENTS, description=mark("a list of at most 32 names of instruments")
    )
    lang: ReaderLang = None
