"""`GET /api/instruments`: the instruments that can observe a run, their costs, and what they show."""

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from app.locale.messages import mark, translator
from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.run import DEFAULT_RUNTIME
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.http.errors import BadField
from app.web.services import LangDep

SHOWS = {
    "graph": mark("The backward graph that make_dot draws: which node sends gradients to which, and the line that made it."),
    "gradcheck": mark("Numerical and analytical Jacobian of each check of gradients, side by side."),
    "figure": mark("Figures of matplotlib, as drawings with their titles and labels as text."),
    "trace": mark(
        "Each backward pass step by step, what each call of a Function saved, which line made each node, and which paths are missing. "
        "Of TensorFlow and JAX, what a backward pass goes through, with the line of each operation."
    ),
    "doctor": mark(
        "What is wrong with the Functions of a program, where, and what to change: read from the source, from what `trace` saw, and from "
        "running each Function again in many ways."
    ),
    "value": mark("The value of a trailing expression, and for a tensor its shape, dtype and entries."),
}
router = APIRouter(prefix="/api/instruments", tags=["Runs"], route_class=GuardedRoute)


class InstrumentEntry(msgspec.Struct, kw_only=True):
    """An instrument. `cost` says how much time it adds to a run in which it finds something.

    If `default` is true, it is on unless it is switched off.
    """

    name: str
    cost: Literal["none", "small", "large"]
    default: bool
    shows: str


class InstrumentsAnswer(msgspec.Struct, kw_only=True):
    """The instruments of one runtime. The field `instruments` of `POST /api/runs` takes their names."""

    runtime: str
    instruments: list[InstrumentEntry]


@router.get("", summary="What can observe a run", responses={**describe_answer(InstrumentsAnswer), **describe_errors(422)})
@allow(ANYONE)
async def get_instruments(
    lang: LangDep, runtime: Annotated[str, Query(description="The name of a runtime.")] = DEFAULT_RUNTIME
) -> Response:
    translate = translator(lang)
    known = next((name for name in INSTRUMENTS if name == runtime), None)
    if known is None:
        raise BadField("runtime", mark("the name of a runtime: {known}"), "no_such_runtime", known=", ".join(INSTRUMENTS))
    entries = [
        InstrumentEntry(name=facts.name, cost=facts.cost, default=facts.default, shows=translate(SHOWS[facts.name]))
        for facts in INSTRUMENTS[known]
    ]
    return json_response(InstrumentsAnswer(runtime=known, instruments=entries), headers={"vary": "accept-language"})
