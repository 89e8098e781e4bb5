"""The route of the playground."""

from fastapi import Request
from starlette.responses import Response

from app.locale.messages import Translate, translator
from app.protocol.run import DEFAULT_RUNTIME, RuntimeName
from app.runner.client import Runner, RunnerError
from app.web.guards.access import ANYONE, allow
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import LangDep, ServicesDep
from app.web.views.reference.what_works import RUNTIME_NAMES


@allow(ANYONE)
async def get_playground(request: Request, lang: LangDep, services: ServicesDep) -> Response:
    """Answer with the playground, where learners run their own programs in any installed runtime."""
    words = translator(lang)
    runtimes = await find_runtimes(services.runner)
    return render(
        request,
        lang,
        "playground.html",
        title=words("Playground"),
        description=words("Run any PyTorch program and see its backward graph and its gradient checks."),
        script="playground.js",
        path="playground",
        lede=invite(runtimes, words),
        runtimes=runtimes,
    )


def invite(runtimes: list[RuntimeName], words: Translate) -> str:
    """Return the sentence that invites learners to run programs of the installed frameworks."""
    names = [RUNTIME_NAMES[runtime] for runtime in runtimes]
    row = names[0]
    for name in names[1:-1]:
        row = words("{row}, {next}").format(row=row, next=name)
    if len(names) > 1:
        row = words("{row} or {last}").format(row=row, last=names[-1])
    return words("Run any {frameworks} program. Its graphs and its gradient checks appear beside it.").format(frameworks=row)


async def find_runtimes(runner: Runner) -> list[RuntimeName]:
    """Return the installed runtimes, or the default one if the runner does not answer."""
    try:
        status = await runner.status()
    except RunnerError:
        return [DEFAULT_RUNTIME]
    return [runtime.name for runtime in status.runtimes if runtime.installed] or [DEFAULT_RUNTIME]


router = route_pages({"/playground": get_playground})
