"""A real cluster of one machine: `gradroom cluster start`, with Ray, TLS and tokens, and a bare runner."""

import asyncio
import importlib.util
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from app.cluster.key_folder import KeyFolder
from app.cluster.ray_process import find_processes
from app.protocol.event import RunEvent
from app.protocol.run import Program, RunOrder, RunResult, Source
from app.runner.client import RunnerError
from app.runner.cluster.ray_runner import RayRunner
from tests.bare.gradroom import BARE_GRADROOM
from tests.cluster.listeners import ask_as_a_stranger, find_listeners
from tests.cluster.reaching import KINDS, write_program
from tests.patience import wait_for

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed"),
    pytest.mark.timeout(400),
]
ORDER = RunOrder(program=Program(source=Source(text="print(1 + 1)")), learner="alice", address="10.0.0.1")
START_SECONDS = 240.0
PROTECTED = ("wants a certificate", "ends TLS that has no certificate", "HTTP 401")
FIGURES = {8404, 9101}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """Yield the entry, the token and the state folder."""
    state = tmp_path_factory.mktemp("node")
    port, ray_port = free_port(), free_port()
    command = ("cluster", "start", "--name", "n1", "--address", "127.0.0.1", "--host", "127.0.0.1", "--port", str(port))
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(state), "GRADROOM_CONCURRENCY": "1", "GRADROOM_SPARES": "1"}
    process = subprocess.Popen((*BARE_GRADROOM, *command, "--ray-port", str(ray_port)), env=environment)
    entry, token = f"127.0.0.1:{port}", state / "cluster" / "run_token"
    try:
        wait_for(lambda: process.poll() is not None or (token.exists() and is_ready(entry, token.read_text())), seconds=START_SECONDS)
        assert process.poll() is None
        yield entry, token.read_text(), state
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def is_ready(entry: str, token: str) -> bool:
    async def ask() -> bool:
        async with RayRunner([entry], token) as runner:
            return (await runner.status()).ready

    with suppress(RunnerError):
        return asyncio.run(ask())
    return False


def run(entry: str, token: str, order: RunOrder = ORDER) -> list[RunEvent]:
    async def follow() -> list[RunEvent]:
        async with RayRunner([entry], token) as runner, runner.run(order) as stream:
            return [event async for event in stream]

    return asyncio.run(follow())


def test_a_program_runs_through_ray_serve(cluster: tuple[str, str, Path]) -> None:
    entry, token, _ = cluster
    result = run(entry, token)[-1]
    assert isinstance(result, RunResult)
    assert result.stdout == "2\n"
    assert result.id.startswith("n1-")


def processes_of(state: Path) -> list[int]:
    return find_processes(int((state / "node" / "ray_session").read_text()))


def test_nothing_is_answered_without_the_token(cluster: tuple[str, str, Path]) -> None:
    entry, _, _ = cluster
    for headers in ({}, {"authorization": "Bearer wrong"}):
        assert httpx.get(f"http://{entry}/nodes/n1/status", headers=headers).status_code == 401
        assert httpx.post(f"http://{entry}/nodes/n1/runs", headers=headers, content=b"{}").status_code == 401


def test_what_listens_for_others_wants_a_certificate_or_the_token(cluster: tuple[str, str, Path]) -> None:
    """Except for figures of HAProxy and of Ray, which docs/many-machines.md names."""
    *_, state = cluster
    listeners = [one for one in find_listeners(processes_of(state)) if one.reachable]
    assert len(listeners) > 5
    answers = {f"{one.port} {one.program}": ask_as_a_stranger(one, "/nodes/n1/status") for one in listeners}
    unprotected = {one.port: one for one in listeners if answers[f"{one.port} {one.program}"] not in PROTECTED}
    figures = [one for port, one in unprotected.items() if port not in FIGURES]
    assert all(httpx.get(f"http://{one.near}:{one.port}/metrics").text.startswith("# HELP") for one in figures), answers
    assert len(figures) == len(unprotected) - len(FIGURES)


def test_ray_refuses_a_stranger_who_has_a_certificate_but_not_its_token(cluster: tuple[str, str, Path]) -> None:
    import grpc

    *_, state = cluster
    keys = KeyFolder(state / "cluster", state / "node")
    head = next(one for one in find_listeners(processes_of(state)) if one.program == "gcs_server" and one.reachable)
    files = (keys.authority, keys.key, keys.certificate)
    with grpc.secure_channel(f"127.0.0.1:{head.port}", grpc.ssl_channel_credentials(*(file.read_bytes() for file in files))) as channel:
        ask = channel.unary_unary("/ray.rpc.NodeInfoGcsService/GetClusterId")
        for token in ("", "wrong", keys.run_token.read_text()):
            with pytest.raises(grpc.RpcError) as refused:
                ask(b"", timeout=30, metadata=[("authorization", f"Bearer {token}")])
            assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert ask(b"", timeout=30, metadata=[("authorization", f"Bearer {keys.ray_token.read_text()}")])


def test_a_program_reaches_nothing_of_ray(cluster: tuple[str, str, Path]) -> None:
    """The same program outside of a sandbox reaches all of it."""
    entry, token, state = cluster
    text = write_program(processes_of(state), Path("/tmp/ray/session_latest").resolve())
    outside = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert [line.split()[1] for line in outside.splitlines()[:-1]] == list(KINDS)
    result = run(entry, token, RunOrder(program=Program(source=Source(text=text)), learner="mallory", address="10.0.0.1"))[-1]
    assert isinstance(result, RunResult)
    assert result.stdout == outside.splitlines()[-1] + "\n"


def test_a_relay_that_is_killed_comes_back(cluster: tuple[str, str, Path]) -> None:
    entry, token, state = cluster
    relays = [pid for pid in processes_of(state) if b"ServeReplica:n1" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(relays) == 1
    os.kill(relays[0], signal.SIGKILL)

    def works_again() -> bool:
        with suppress(RunnerError):
            return isinstance(run(entry, token)[-1], RunResult)
        return False

    wait_for(works_again, seconds=120)
    assert relays[0] not in processes_of(state)
