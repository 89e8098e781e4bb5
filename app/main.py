"""The map of the web app: what answers which address, and what every request passes through."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette_compress import CompressMiddleware

from app.lessons.catalogue import Catalogue
from app.runner.client import Runner, SocketRunner
from app.settings import Settings
from app.web import documentation, home, lessons, operations, pages, runs
from app.web.access import AccessMiddleware
from app.web.errors import add_error_handlers
from app.web.faults import FaultMiddleware
from app.web.meters import Meters
from app.web.security import SecurityMiddleware
from app.web.sessions import SessionMiddleware, Sessions, load_secret
from app.web.static import StaticFiles


def create_app(
    settings: Settings, runner: Runner | None = None, catalogue: Catalogue | None = None, *, unconfined: bool = False
) -> FastAPI:
    """The web app. A runner or a catalogue that is given takes the place of the one that the settings name.

    `unconfined`: programs may be run without a sandbox, and every page says so; never a setting, because those outlive their reasons.
    """
    app = FastAPI(title="Gradroom", lifespan=close_runner, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings = settings
    app.state.unconfined = unconfined
    app.state.runner = runner or SocketRunner(settings.socket)
    app.state.catalogue = catalogue or lessons.open_catalogue(settings.lessons_folder)
    app.state.sessions = Sessions(load_secret(settings))
    app.state.meters = Meters()

    for module in (runs, lessons, operations, documentation, pages, home):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(settings.static_folder))
    add_error_handlers(app)

    app.add_middleware(FaultMiddleware)  # the innermost
    app.add_middleware(SessionMiddleware, sessions=app.state.sessions)
    app.add_middleware(CompressMiddleware)
    app.add_middleware(SecurityMiddleware, settings=settings)
    app.add_middleware(AccessMiddleware, meters=app.state.meters)  # the outermost
    return app


@asynccontextmanager
async def close_runner(app: FastAPI) -> AsyncIterator[None]:
    yield
    await app.state.runner.close()
