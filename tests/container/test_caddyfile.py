"""What the Caddyfile says, read by Caddy itself where there is one (Debian has it as a package), and what it must not say."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.settings import PROJECT, Settings

CADDYFILE = PROJECT / "docs/caddy/Caddyfile"


@pytest.fixture(scope="module")
def caddy() -> str:
    path = shutil.which("caddy")
    if path is None:
        pytest.skip("there is no Caddy, so docs/caddy/Caddyfile is NOT CHECKED: apt-get install caddy")
    return path


def ask(caddy: str, command: str, **environment: str) -> str:
    """What Caddy prints; raises CalledProcessError with its complaints."""
    arguments = (caddy, command, "--adapter", "caddyfile", "--config", str(CADDYFILE))
    return subprocess.run(arguments, capture_output=True, text=True, check=True, env=os.environ | environment).stdout


def adapt(caddy: str, **environment: str) -> dict[str, Any]:
    adapted: dict[str, Any] = json.loads(ask(caddy, "adapt", **environment))
    return adapted


def handlers_of(config: Any) -> list[dict[str, Any]]:
    """Every object with a `handler`, however deep."""
    if isinstance(config, list):
        return [found for each in config for found in handlers_of(each)]
    if not isinstance(config, dict):
        return []
    return [config] * ("handler" in config) + [found for each in config.values() for found in handlers_of(each)]


def find_handler(config: dict[str, Any], name: str) -> dict[str, Any]:
    return next(handler for handler in handlers_of(config) if handler["handler"] == name)


def make_certificate(folder: Path) -> None:
    """A certificate and its key, of nobody."""
    files = ("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem"))
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=room.example", *files)
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.parametrize("certificate", ["public", "own", "internal"])
def test_caddy_takes_it_with_each_kind_of_certificate(caddy: str, certificate: str, tmp_path: Path) -> None:
    if shutil.which("openssl"):
        make_certificate(tmp_path)
    elif certificate == "own":
        pytest.skip("there is no openssl to make a certificate with")
    folders = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "CLASS_CERTIFICATES": str(tmp_path)}
    ask(caddy, "validate", CLASS_HOST="room.example", CLASS_CERTIFICATE=certificate, **folders)


def test_a_misspelt_kind_of_certificate_is_refused(caddy: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        adapt(caddy, CLASS_CERTIFICATE="intern")


def test_the_authority_is_caddys_own_only_where_asked_for(caddy: str) -> None:
    policies = {
        kind: adapt(caddy, CLASS_HOST="room.example", CLASS_CERTIFICATE=kind)["apps"].get("tls", {}) for kind in ("public", "internal")
    }
    assert "internal" in json.dumps(policies["internal"])
    assert "internal" not in json.dumps(policies["public"])


def test_slow_and_large_requests_have_bounds(caddy: str) -> None:
    config = adapt(caddy)
    (server,) = config["apps"]["http"]["servers"].values()
    assert server["protocols"] == ["h1", "h2"]
    assert {"read_timeout", "read_header_timeout", "idle_timeout", "max_header_bytes"} <= set(server)
    assert "write_timeout" not in server  # an event stream is an answer that lasts
    sizes = {handler["max_size"] for handler in handlers_of(config) if handler["handler"] == "request_body"}
    assert sizes == {Settings().request_bytes, Settings().archive_bytes}


def test_a_connection_to_web_is_given_up_before_web_closes_it(caddy: str) -> None:
    proxy = find_handler(adapt(caddy, CLASS_UPSTREAM="web:8000"), "reverse_proxy")
    assert proxy["upstreams"] == [{"dial": "web:8000"}]
    assert proxy["transport"]["keep_alive"]["idle_timeout"] < 75e9  # nanoseconds; app.serving.entry


def test_a_run_that_its_browser_gave_up_is_given_up_by_the_proxy_too(caddy: str) -> None:
    assert "flush_interval" not in find_handler(adapt(caddy), "reverse_proxy")  # with -1 Caddy would go on
