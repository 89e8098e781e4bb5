"""The fields of lesson.toml. Its tables of cells, try-its and predictions are in modules of their own."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from app.lessons.model.keys import Seconds, Term, Texts, expects, line_of
from app.lessons.toml.cell_tables import CellTable, Instrument, Runtime, TryTable
from app.lessons.toml.prediction_tables import PredictionTable
from app.lessons.toml.strict_tables import InLanguages, StrictTable
from app.protocol.limits import ASKABLE, bounds


class TermInLanguages(InLanguages, frozen=True):
    """The word under which people look for a lesson, in every language."""

    en: Term
    zh_hans: Term


class AbilityInLanguages(InLanguages, frozen=True):
    """What someone who has read a lesson is able to do, in every language."""

    en: Annotated[str, line_of(90)]
    zh_hans: Annotated[str, line_of(40)]


def _limit(name: str) -> tuple[str, Any, None]:
    least, most = bounds(name)
    kind = Seconds if name == "deadline_seconds" else Annotated[int, Meta(ge=least, le=most)]
    return name, kind | None, None


LimitsTable = msgspec.defstruct("LimitsTable", [_limit(name) for name in ASKABLE], bases=(StrictTable,), kw_only=True, frozen=True)


class LessonFile(StrictTable, rename={"tries": "try"}, frozen=True):
    """lesson.toml: a lesson's cells, predictions and suggested edits."""

    minutes: Annotated[int, Meta(ge=1, le=240, description="How long reading and running take.")]
    term: Annotated[TermInLanguages, Meta(description="The word under which people look for it, such as `no_grad`.")] | None = None
    ability: Annotated[AbilityInLanguages, Meta(description="What someone who has read it is able to do, in one line.")] | None = None
    runtime: Runtime = "torch"
    requires: Annotated[Texts, expects('a list of lessons, like "chapter/lesson"', 'Lessons that come first, like "autograd/leaves".')] = ()
    instruments: Annotated[tuple[Instrument, ...], Meta(description="Of all its cells, in addition to those that are always on.")] = ()
    limits: Annotated[LimitsTable, Meta(description="What its runs may use.")] | None = None  # type: ignore[valid-type]
    cell: tuple[CellTable, ...] = ()
    prediction: tuple[PredictionTable, ...] = ()
    tries: tuple[TryTable, ...] = ()
