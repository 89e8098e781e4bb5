"""The route of the page for operators."""

from fastapi import Request
from starlette.responses import Response

from app.locale.messages import Translate, mark, translator
from app.web.guards.access import OPERATOR, allow
from app.web.operator_desk import DeskAnswer, gather_desk
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import LangDep, ServicesDep

NOT_KEPT = {  # reason -> message
    "at_limit": mark("Nothing more is stored: the database has reached its limit."),
    "full": mark("Nothing is stored: the disk is full."),
    "read_only": mark("Nothing is stored: the database may not be written."),
    "locked": mark("Nothing is stored: another program holds the database."),
    "broken": mark("Nothing is stored: the database is damaged."),
}
NOT_STORED = mark("Nothing is stored: the database cannot be used ({reason}).")


@allow(OPERATOR)
async def get_desk(request: Request, services: ServicesDep, lang: LangDep) -> Response:
    """Answer with the state of the server at this moment. The page does not update itself."""
    words = translator(lang)
    desk = await gather_desk(services)
    return render(
        request,
        lang,
        "operator.html",
        title=words("Operator"),
        description=words("How this server is: its health, its store, its runs and its versions."),
        script="plain.js",
        path="operator",
        indexed=False,
        data={},
        desk=desk,
        problems=list_problems(desk, words),
    )


def list_problems(desk: DeskAnswer, words: Translate) -> list[str]:
    """Return a sentence for each problem that an operator has to solve."""
    health, store = desk.health, desk.store
    problems = []
    if not health.reached:
        problems.append(words("The runner cannot be reached, so no program is run."))
    elif not health.ready:
        problems.append(words("No program is run: {reason}").format(reason=health.reason or words("the runner is not ready.")))
    elif not health.confined:
        problems.append(words("Programs are not confined as they should be."))
    if health.not_kept:
        problems.append(words(NOT_KEPT.get(health.not_kept, NOT_STORED)).format(reason=health.not_kept))
    elif store.figures is None:
        problems.append(words("The store could not be read."))
    if store.addresses_at_limit:
        problems.append(
            words("Network addresses of which nothing more is stored at present: {count}").format(count=store.addresses_at_limit)
        )
    return problems


router = route_pages({"/operator": get_desk})
