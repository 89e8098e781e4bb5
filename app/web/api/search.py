"""`GET /api/search`: finds lessons, sections, pitfalls, terms and pages by words, names of the API and messages of errors."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from app.locale.messages import mark
from app.search.search import MOST_RESULTS, SearchResult
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.http.answer import describe_answer, describe_errors, json_response
from app.web.services import LangDep, PrincipalDep, ServicesDep

Typed = Annotated[
    str, Query(description="Words, a name such as `save_for_backward`, or a pasted message. The last word may be the beginning of one.")
]
Limit = Annotated[int, Query(description=mark("a whole number from 1 to 20, of results at most"), ge=1, le=MOST_RESULTS)]
router = APIRouter(prefix="/api/search", tags=["Lessons"], route_class=GuardedRoute)


class SearchAnswer(msgspec.Struct):
    """The answer of `GET /api/search`: the best results first. `query` is the text searched for, only the end of a long one."""

    query: str
    results: Sequence[SearchResult]


@router.get("", summary="Find a place of the course", responses={**describe_answer(SearchAnswer), **describe_errors(422, 429)})
@allow(ANYONE)
async def get_results(services: ServicesDep, principal: PrincipalDep, lang: LangDep, q: Typed = "", limit: Limit = 8) -> Response:
    query, results = await services.search.find(q, lang, limit, principal)
    return json_response(SearchAnswer(query, results), headers={"vary": "accept-language"})
