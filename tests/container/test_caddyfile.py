"""What the Caddyfile says, read by Caddy itself where there is one (Debian has it as a package), and what it must not say."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from servestatic.asgi import ServeStaticASGI

from app.settings import Settings
from app.web.edge.security import HEADERS
from app.web.http.static import HASHED, POLICY, PREFIX
from tests.container.conftest import CADDYFILE


def ask(caddy: str, command: str, **environment: str) -> str:
    """Run Caddy's command, and return what it prints. Raises CalledProcessError with Caddy's complaints."""
    arguments = (caddy, command, "--adapter", "caddyfile", "--config", str(CADDYFILE))
    return subprocess.run(arguments, capture_output=True, text=True, check=True, env=os.environ | environment).stdout


def adapt(caddy: str, **environment: str) -> dict[str, Any]:
    adapted: dict[str, Any] = json.loads(ask(caddy, "adapt", **environment))
    return adapted


def handlers_of(config: Any) -> list[dict[str, Any]]:
    """Return every object with a `handler`, at any depth."""
    if isinstance(config, list):
        return [found for each in config for found in handlers_of(each)]
    if not isinstance(config, dict):
        return []
    return [config] * ("handler" in config) + [found for each in config.values() for found in handlers_of(each)]


def find_handler(config: dict[str, Any], name: str) -> dict[str, Any]:
    return next(handler for handler in handlers_of(config) if handler["handler"] == name)


def make_certificate(folder: Path) -> None:
    """Make a certificate that no authority has signed, and its key."""
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


def test_files_have_the_headers_that_web_gives_them() -> None:
    given = {
        **{name.decode(): value.decode() for name, value in HEADERS},
        "cache-control": f"max-age={ServeStaticASGI.FOREVER}, public, immutable",
        "content-security-policy": POLICY,
        "vary": "Accept-Encoding",
    }
    block = CADDYFILE.read_text().partition("defer\n")[2].partition("}")[0]
    lines = [line.split(maxsplit=1) for line in block.splitlines() if line.strip()]
    assert {name.lower(): value.strip('"') for name, value in lines} == given


def test_caddy_serves_only_what_web_takes_for_hashed() -> None:
    patterns = re.findall(r"path_regexp hashed (\S+)", CADDYFILE.read_text())
    assert patterns == [rf"^{PREFIX}(\w[\w.-]*{HASHED.pattern.removesuffix('$')})$"]


def test_without_a_folder_there_are_no_files(caddy: str) -> None:
    assert not Path(find_handler(adapt(caddy), "vars")["root"]).exists()
    assert find_handler(adapt(caddy, CLASS_STATIC="/srv/static"), "vars")["root"] == "/srv/static"
