"""A second run from a browser's request to its records, with the real runner."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from app.lessons.course.catalogue import Catalogue
from app.main import create_app
from app.runner.socket_runner import SocketRunner
from app.settings import Settings
from tests.own_course import load_own_course
from tests.patience import PATIENCE_SECONDS
from tests.programs import Programs
from tests.web.conftest import client_of, share_routes

pytestmark = pytest.mark.anyio
PROGRAM = """
import torch
from torchviz import make_dot

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return 2 * x * grad_output

x = torch.rand(3, requires_grad=True)
y = Square.apply(x).sum()
make_dot(y)
y.backward()
print(x.grad)
"""


async def trace(client: httpx.AsyncClient, run_id: str) -> httpx.Response:
    """Request a trace, again as long as it gives way to runs that another test has left, and return the answer."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = await client.post(f"/api/runs/{run_id}/trace")
        if answer.status_code != 503 or time.monotonic() > end:
            return answer
        await asyncio.sleep(1)  # a person's pace, at which no request is refused


def kinds(result: dict[str, Any]) -> set[str]:
    return {record["kind"] for record in result["records"]}


async def test_a_run_of_one_web_process_is_traced_and_forgotten_by_another(
    settings: Settings, catalogue: Catalogue, programs: Programs
) -> None:
    async with SocketRunner(programs.socket) as runner, SocketRunner(programs.socket) as other_runner:
        apps = [share_routes(create_app(settings, one, catalogue)) for one in (runner, other_runner)]
        async with client_of(apps[0]) as first, client_of(apps[1]) as second:
            await first.get("/en/")
            second.cookies = first.cookies
            run_ids = [(await first.post("/api/runs", json={"source": PROGRAM, "lang": "zh-Hans"})).headers["x-run-id"] for _ in range(2)]
            traced = await trace(second, run_ids[0])
            assert (traced.status_code, traced.json()["lang"]) == (200, "zh-Hans")
            assert "replay" in kinds(traced.json())
            learner = apps[0].state.services.sessions.read(first.cookies["learner"])
            await other_runner.forget(learner)
            assert (await trace(first, run_ids[1])).status_code == 404


async def test_a_run_is_traced_by_its_learner_and_once(settings: Settings, catalogue: Catalogue, programs: Programs) -> None:
    async with SocketRunner(programs.socket) as runner:
        app = share_routes(create_app(settings, runner, catalogue))
        async with client_of(app) as ada, client_of(app) as bob:
            for client in (ada, bob):
                await client.get("/en/")
            first = (await ada.post("/api/runs", json={"source": PROGRAM, "seed": 3})).json()
            assert (await trace(bob, first["id"])).status_code == 404
            answer = await trace(ada, first["id"])
            assert answer.status_code == 200, answer.text
            assert (await trace(ada, first["id"])).status_code == 404
    second = answer.json()
    assert second["id"] == answer.headers["x-run-id"] != first["id"]
    assert [second[name] for name in ("outcome", "stdout", "seed")] == ["finished", first["stdout"], 3]
    assert kinds(first) == {"graph"}
    assert kinds(second) == {"examined", "graph", "replay", "saved", "traced_graph"}


WRONG = """
import torch

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad_output):
        grad_output *= 2
        return grad_output

Double.apply(torch.ones(3, requires_grad=True)).backward(torch.ones(3))
"""
OF_EXERCISE = {"source": WRONG, "lesson": "backward-twice/saving-outputs", "exercise": "tanh"}


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ({"source": WRONG}, ["grad-output-mutated"]),
        ({"source": WRONG, "instruments": ["graph"]}, ["grad-output-mutated"]),
        ({"source": WRONG, "instruments": []}, []),
        (OF_EXERCISE, []),
        ({**OF_EXERCISE, "instruments": ["graph"]}, []),
    ],
    ids=["by default", "with an instrument", "without instruments", "in an exercise", "in an exercise, with an instrument"],
)
async def test_a_trace_says_what_is_wrong_unless_that_was_switched_off_or_is_the_exercise(
    settings: Settings, programs: Programs, body: dict[str, Any], codes: list[str]
) -> None:
    async with SocketRunner(programs.socket) as runner:
        app = share_routes(create_app(settings, runner, load_own_course()))
        async with client_of(app) as client:
            await client.get("/en/")
            first = (await client.post("/api/runs", json=body)).json()
            second = (await trace(client, first["id"])).json()
    assert [record["code"] for record in second["records"] if record["kind"] == "diagnosis"] == codes
    assert "traced_graph" in kinds(second)
    assert "diagnosis" not in kinds(first)
