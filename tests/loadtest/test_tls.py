"""A load test over TLS: the certificate has to be trusted and to name the server, as in a browser."""

import asyncio
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from app.loadtest.command import play_until_interrupted, trust_in
from app.loadtest.loadtest import Loadtest, NotTestable
from app.loadtest.pace import Pace
from app.loadtest.report import LoadtestReport
from app.loadtest.server_address import find_server
from app.main import create_app
from app.settings import Settings
from tests.loadtest.grading_runner import GradingRunner
from tests.own_course import load_own_course

NAME = "room.test"  # no name server has this name, so the load test must use the address that was looked up once


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with a certificate of room.test and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("certificate")
    what = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}")
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    subprocess.run((openssl, *what, *files), check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def port(certificate: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port at which the app answers over TLS, on loopback, in a thread."""
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), allowed_hosts=(NAME, "127.0.0.1"))
    app = create_app(settings, GradingRunner(), load_own_course())
    files = {"ssl_certfile": certificate / "cert.pem", "ssl_keyfile": certificate / "key.pem"}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1, **files)  # type: ignore[arg-type]
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def rehearse_at(name: str, port: int, authority: Path | None) -> LoadtestReport:
    server = find_server(f"https://{name}:{port}", operated=False, lookup=lambda *_, **__: [(0, 0, 0, "", ("127.0.0.1", port))])
    return asyncio.run(play_until_interrupted(Loadtest(server, trust_in(authority), Pace(2, 3.0), seed=1)))


def test_a_server_with_a_trusted_certificate_is_rehearsed_under_its_name(certificate: Path, port: int) -> None:
    report = rehearse_at(NAME, port, certificate / "cert.pem")
    assert report.server == f"https://{NAME}:{port}"
    assert report.runs > 0
    assert report.faults == report.refusals == {}


def test_a_certificate_of_an_unknown_authority_is_refused(port: int) -> None:
    with pytest.raises(NotTestable, match=r"CERTIFICATE_VERIFY_FAILED.*--ca"):
        rehearse_at(NAME, port, None)


def test_a_certificate_of_another_name_is_refused(certificate: Path, port: int) -> None:
    with pytest.raises(NotTestable, match="CERTIFICATE_VERIFY_FAILED"):
        rehearse_at("127.0.0.1", port, certificate / "cert.pem")
