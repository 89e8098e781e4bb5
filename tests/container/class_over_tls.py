"""The profile `class` of compose.yaml: starts web, runner and Caddy as it says, looks at what Caddy adds, and rehearses a class over TLS.

    python -m tests.container.class_over_tls "docker run --rm" gradroom gradroom-caddy [--attack=NAME …] [options of gradroom loadtest]

The arguments are the engine's command and the two images. All three containers use the host's network and so its ports 80, 443 and 8000,
because an engine without compose has no network in which Caddy's address is fixed; everything else is as compose.yaml says.
The volumes are called `gradroom-class-…` and stay. `--attack`: one of tests/load/attacks, which comes over TLS too, some seconds before
the class, and from the same address.
"""

import contextlib
import http.client
import json
import re
import shlex
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.container.check import started, wait_until_ready
from tests.container.options import load_services

HOST = "127.0.0.1"
VOLUMES = "gradroom-class"
AUTHORITY = "/data/caddy/pki/authorities/local/root.crt"
SILENT = "import time\ntime.sleep(9)"
SPEAKING = "import time\nprint('first', flush=True)\ntime.sleep(3)"
ATTACK = "--attack="
LEAD_SECONDS = 3


def main() -> None:
    engine, image, caddy_image, *more = sys.argv[1:]
    attacks = [option.removeprefix(ATTACK) for option in more if option.startswith(ATTACK)]
    more = [option for option in more if not option.startswith(ATTACK)]
    services = load_class()
    with (
        started(engine, image, services["runner"], [f"--name={VOLUMES}-runner"], VOLUMES) as runner,
        started(engine, image, services["web"], [f"--name={VOLUMES}-web", "--network=host"], VOLUMES) as web,
        started(engine, caddy_image, services["caddy"], [f"--name={VOLUMES}-caddy", "--network=host"], VOLUMES) as caddy,
        tempfile.TemporaryDirectory() as folder,
    ):
        wait_until_ready(runner, web, caddy)
        authority = Path(folder, "root.crt")
        authority.write_bytes(read_authority(engine, caddy_image, VOLUMES))
        look_at_caddy(authority)
        command = [sys.executable, "-m", "app.cli", "loadtest", f"https://{HOST}", f"--ca={authority}", *more]
        with attacked(attacks):
            status = subprocess.run(command, check=False).returncode
        sys.exit(status)


def load_class(variables: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Return the services of compose.yaml for containers that all use the host's network."""
    services = load_services({"CLASS_HOST": HOST, "CLASS_NETWORK": "127.0.0", **(variables or {})})
    services["web"]["environment"]["GRADROOM_TRUSTED_PROXIES"] = HOST  # where Caddy comes from in the host's network
    services["caddy"]["environment"]["CLASS_UPSTREAM"] = f"{HOST}:8000"
    return services


@contextlib.contextmanager
def attacked(attacks: list[str]) -> Iterator[None]:
    """Run each attack in a process of its own, beginning some seconds before the class."""
    attackers = [subprocess.Popen([sys.executable, "-m", "tests.load.attacks.attack", name, HOST, "443"]) for name in attacks]
    try:
        time.sleep(LEAD_SECONDS if attacks else 0)
        yield
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.wait()


def read_authority(engine: str, image: str, volumes: str) -> bytes:
    """Return the certificate of Caddy's own authority, from its volume. `volumes` begins the volume's name."""
    command = [*shlex.split(engine), f"--volume={volumes}-caddy:/data", "--entrypoint=cat", image, AUTHORITY]
    certificate: bytes = wait_for(lambda: subprocess.run(command, capture_output=True, check=False).stdout)
    return certificate


def look_at_caddy(authority: Path) -> None:
    """Assert what a class needs of the proxy."""
    trust = ssl.create_default_context(cafile=authority)
    redirect = ask(http.client.HTTPConnection(HOST), "/en/")
    assert (redirect.status, redirect.headers["location"]) == (308, f"https://{HOST}/en/")
    page = ask(http.client.HTTPSConnection(HOST, context=trust), "/en/")
    assert page.status == 200
    assert "Secure" in page.headers["set-cookie"], "web does not believe that the connection was TLS"
    assert ask(http.client.HTTPSConnection(HOST, context=trust), "/metrics").status == 404
    files = set(re.findall(r"/static/[\w.-]+", page.read().decode()))
    assert files and all(ask(http.client.HTTPSConnection(HOST, context=trust), file).status == 200 for file in files)
    assert 'route="/static"' not in read_metrics(), "the proxy does not serve the files: is its image the Dockerfile's target caddy?"
    stream = start_run(trust, SPEAKING)
    early = stream.read1()
    while b"first" not in early:
        early += stream.read1()
    assert b"event: result" not in early, "the proxy holds events back"
    start_run(trust, SILENT).close()
    wait_for(lambda: 'ending="abandoned"' in read_metrics())
    print("Caddy: HTTPS only, Secure cookies, no metrics, files of its own, events at once; a run that is left is stopped.")


def ask(connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
    connection.request("GET", path)
    return connection.getresponse()


def start_run(trust: ssl.SSLContext, source: str) -> http.client.HTTPResponse:
    """Return a run's event stream. Closing it ends the connection."""
    connection = http.client.HTTPSConnection(HOST, context=trust)
    headers = {"content-type": "application/json", "accept": "text/event-stream", "connection": "close"}
    connection.request("POST", "/api/runs", json.dumps({"source": source}), headers)
    return connection.getresponse()


def read_metrics() -> str:
    text: str = urllib.request.urlopen(f"http://{HOST}:8000/metrics").read().decode()
    return text


def wait_for(look: Any, what: str = "it", seconds: int = 5) -> Any:
    """Return the first result of `look` that is true."""
    for _ in range(10 * seconds):
        if found := look():
            return found
        time.sleep(0.1)
    raise SystemExit(f"{what} did not come about within {seconds} s")


if __name__ == "__main__":
    main()
