"""The runner's HTTP side: a small ASGI app on a Unix socket, used by app.runner.client alone."""

import contextlib
import gc
import socket as sockets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.grading import GradeOrder
from app.protocol.load import BUILD_HEADER, ClusterView
from app.protocol.run import RunOrder, TraceOrder
from app.runner.build import hash_build
from app.runner.client import (
    LANG_HEADER,
    QueueFull,
    Refusal,
    RunGaveWay,
    RunnerError,
    RunnerUnavailable,
    RunnerUnconfined,
    RuntimeAbsent,
    RunUntraceable,
)
from app.runner.runs.run_task import RunTask
from app.runner.supervisor import RunnerConfig, Supervisor
from app.sandbox import kernel

_views = msgspec.json.Decoder(ClusterView)
_encoder = msgspec.json.Encoder()
_STATUSES: dict[type[RunnerError], int] = {RunnerUnavailable: 503, RunnerUnconfined: 403, RunGaveWay: 409, RunUntraceable: 410}

Order = TypeVar("Order")
Endpoint = Callable[[Request], Awaitable[Response]]


def create_runner(config: RunnerConfig) -> Starlette:
    """Return the runner's app. The app's lifespan starts and ends the sandboxes. `state.supervisor` is the supervisor."""
    supervisor = Supervisor(config)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        supervisor.start()
        try:
            yield
        finally:
            await supervisor.close()

    def starting(decoder: "msgspec.json.Decoder[Order]", accept: Callable[[Order], RunTask]) -> Endpoint:
        """Return the endpoint that starts what the request orders, and answers with the run's events."""

        async def start(request: Request) -> Response:
            body = await request.body()
            build = request.headers.get(BUILD_HEADER)
            if build is not None and build != hash_build():
                return Response(f"the order is of another build than {hash_build()}", 422)
            try:
                run = accept(decoder.decode(body))
            except msgspec.DecodeError as error:
                return Response(str(error), 422)
            except RuntimeAbsent as error:
                return _json(error.absence, 404)
            except QueueFull as error:
                return _json(Refusal(error.reason, error.retry_after_seconds), 429)
            except RunnerError as error:
                return Response(status_code=_STATUSES[type(error)])
            headers = {"x-run-id": run.id, LANG_HEADER: run.lang}
            return StreamingResponse(supervisor.follow(run), media_type="application/octet-stream", headers=headers)

        return start

    async def stop_run(request: Request) -> Response:
        learner = request.query_params.get("learner", "")
        return Response(status_code=202 if supervisor.stop(request.path_params["run_id"], learner) else 404)

    async def forget_orders(request: Request) -> Response:
        supervisor.forget(request.query_params.get("learner", ""))
        return Response(status_code=204)

    async def report_load(request: Request) -> Response:
        try:
            return _json(supervisor.report_load(_views.decode(await request.body())))
        except msgspec.DecodeError as error:
            return Response(str(error), 422)

    async def drain(_: Request) -> Response:
        supervisor.drain()
        return Response(status_code=204)

    async def status(_: Request) -> Response:
        return _json(supervisor.status())

    async def metrics(_: Request) -> Response:
        return Response(supervisor.render_metrics(), media_type="text/plain; version=0.0.4")

    routes = [
        Route("/runs", starting(msgspec.json.Decoder(RunOrder), supervisor.accept), methods=["POST"]),
        Route("/submissions", starting(msgspec.json.Decoder(GradeOrder), supervisor.accept_submission), methods=["POST"]),
        Route("/traces", starting(msgspec.json.Decoder(TraceOrder), supervisor.accept_trace), methods=["POST"]),
        Route("/runs/{run_id}", stop_run, methods=["DELETE"]),
        Route("/orders", forget_orders, methods=["DELETE"]),
        Route("/load", report_load, methods=["POST"]),
        Route("/drain", drain, methods=["POST"]),
        Route("/status", status),
        Route("/metrics", metrics),
    ]
    runner = Starlette(routes=routes, lifespan=lifespan)
    runner.state.supervisor = supervisor
    return runner


def _json(value: object, status: int = 200) -> Response:
    return Response(_encoder.encode(value), status, media_type="application/json")


def serve_runner(socket: Path, config: RunnerConfig) -> None:
    """Serve on a Unix socket until a signal ends it."""
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # so that no other process of this uid can read its memory
    socket.unlink(missing_ok=True)
    app = create_runner(config)
    load_pitfalls()
    gc.freeze()  # what is loaded stays, so collections need not visit it
    gc.enable()
    options = uvicorn.Config(app, uds=str(socket), log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=2)
    RunnerServer(options, app.state.supervisor).run()


class RunnerServer(uvicorn.Server):
    """Ends the runs before it waits for connections to close, so that each reader still gets the end of its run."""

    def __init__(self, config: uvicorn.Config, supervisor: Supervisor) -> None:
        super().__init__(config)
        self._supervisor = supervisor

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        self._supervisor.stop_all()
        await super().shutdown(sockets)
