"""The profile `class` of compose.yaml on PostgreSQL: starts it, has learners work over TLS, and restores the backup of their work.

    python -m tests.container.class_with_postgres "docker run --rm" gradroom gradroom-caddy docker.io/library/postgres:15 [--tool=docker]

The arguments are the engine's command and the three images. `--tool` is the program that has `exec` and `volume rm`, by default the first
word of the engine's command. All containers use the host's network, and so its ports 80, 443 and 8000, and a free one for PostgreSQL;
everything else is as compose.yaml says. The volumes are called `gradroom-postgres-…`; those of an earlier time are deleted first.
An engine that reaches no registry gets images in place of Caddy's and PostgreSQL's from tests/container/standins.
"""

import secrets
import shlex
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.container.check import started, wait_until_ready
from tests.container.class_learner import ClassLearner
from tests.container.class_over_tls import HOST, load_class, look_at_caddy, read_authority, wait_for
from tests.container.options import load_compose

ORIGIN = f"https://{HOST}"
PREFIX = "gradroom-postgres"
PASSWORD = "letters0and1digits"
SCRIPT = "/opt/gradroom/deploy/backup.sh"
COUNTED = ("learner", "draft", "draft_version", "attempt")
# of /usr/include/linux/capability.h
CAPABILITIES = {
    "CHOWN": 0,
    "DAC_OVERRIDE": 1,
    "DAC_READ_SEARCH": 2,
    "FOWNER": 3,
    "KILL": 5,
    "SETGID": 6,
    "SETUID": 7,
    "NET_BIND_SERVICE": 10,
}


def main() -> None:
    engine, image, caddy_image, postgres_image, *more = sys.argv[1:]
    tool = next((option.removeprefix("--tool=") for option in more), shlex.split(engine)[0])
    images = {"web": image, "runner": image, "caddy": caddy_image, "database": postgres_image, "backup": postgres_image}
    rehearsal = Rehearsal(engine, tool, images)
    rehearsal.delete_volumes()
    try:
        rehearsal.run()
    finally:
        rehearsal.delete_volumes()


class Rehearsal:
    """The containers of one class. `tool` is the engine's program for all but starting a container."""

    def __init__(self, engine: str, tool: str, images: dict[str, str]) -> None:
        self._engine, self._tool, self._images = engine, tool, images
        port = find_free_port()
        url = f"postgresql://gradroom:{PASSWORD}@{HOST}:{port}/gradroom"
        self._services = load_class({"CLASS_DATABASE_URL": url, "CLASS_DATABASE_PASSWORD": PASSWORD})
        database = self._services["database"]
        database["environment"]["PGPORT"] = port  # in a network of its own it has the usual one
        database["command"] += ["-c", f"listen_addresses={HOST}"]

    def run(self) -> None:
        with ExitStack() as stack:
            for name in ("database", "runner"):  # as in compose, nobody but backup waits until the database is healthy
                stack.enter_context(self._started(name))
            with self._serving() as trust:
                learners = [ClassLearner(ORIGIN, trust) for _ in range(3)]
                work_more(learners)
                kept, counts = [learner.read_work() for learner in learners], self._count()
                print(f"{len(learners)} learners saved a text and have a receipt: {counts}")
                stack.enter_context(self._started("backup"))
                [backup] = wait_for(self._list_backups, "a backup", 90)
                print("backup makes one when it starts:", self._execute("backup", "ls", "-ln", "/backups"), sep="\n")
                for name in self._images:
                    self._check_confinement(name)
                late = ClassLearner(ORIGIN, trust)
                work_more([*learners, late])
                print(f"later they and one more did more: {self._count()}")
            print("web is stopped.", self._execute("backup", SCRIPT, "restore", backup))
            assert self._count() == counts, self._count()
            with self._serving() as trust:
                assert [learner.read_work() for learner in learners] == kept
                assert late.read_work() == ClassLearner(ORIGIN, trust).read_work()
                print(f"with their old cookies learners find exactly the work of the backup, the late one finds none: {counts}")
                work_more([*learners, late])
                print(f"new work is stored: {self._count()}")
            print(self._execute("backup", SCRIPT, "once"))

    @contextmanager
    def _serving(self) -> Iterator[ssl.SSLContext]:
        """Run web and Caddy. Yield what trusts Caddy's certificate."""
        with self._started("web") as web, self._started("caddy") as caddy, tempfile.TemporaryDirectory() as folder:
            wait_until_ready(web, caddy)
            authority = Path(folder, "root.crt")
            authority.write_bytes(read_authority(self._engine, self._images["caddy"], PREFIX))
            look_at_caddy(authority)
            yield ssl.create_default_context(cafile=authority)

    @contextmanager
    def _started(self, name: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start a service, after the services for whose health compose.yaml has it wait."""
        service = self._services[name]
        for other in find_awaited(service):
            wait_for(partial(self._is_healthy, other), f"the health of {other}", 90)
        network = [] if "network_mode" in service else ["--network=host"]
        with started(self._engine, self._images[name], service, [f"--name={PREFIX}-{name}", *network], PREFIX) as process:
            yield process

    def _is_healthy(self, name: str) -> bool:
        return self._exec(name, *self._services[name]["healthcheck"]["test"][1:]).returncode == 0

    def _check_confinement(self, name: str) -> None:
        """Assert that the kernel enforces what compose.yaml says of a container. Print what it enforces."""
        service = self._services[name]
        status = dict(line.split(":\t", 1) for line in self._execute(name, "cat", "/proc/1/status").splitlines())
        bounds = sum(1 << CAPABILITIES[capability] for capability in service.get("cap_add", ()))
        assert int(status["CapBnd"], 16) == bounds, status
        assert status["NoNewPrivs"] == "1"
        refused = self._exec(name, "touch", "/usr/made")
        assert "Read-only file system" in refused.stderr, refused
        uid = status["Uid"].split()[0]
        print(
            f"{name}: uid {uid}, capabilities {service.get('cap_add', 'none')}, effective {status['CapEff']}, no new privileges, read-only"
        )

    def _count(self) -> str:
        """Return how many rows the tables with learners' work have."""
        counts = ", ".join(f"(SELECT count(*) FROM {table}) AS {table}" for table in COUNTED)
        row = self._execute("database", "psql", "--username=gradroom", "--tuples-only", "--expanded", f"--command=SELECT {counts}")
        return ", ".join(" ".join(line.replace("|", "").split()) for line in row.splitlines())

    def _list_backups(self) -> list[str]:
        """Return the backups, the newest first, or none while the container is not there yet."""
        return self._exec("backup", SCRIPT, "list").stdout.split()

    def _execute(self, name: str, *command: str) -> str:
        """Return what a command in a container prints. Ends with its complaint if it fails."""
        done = self._exec(name, *command)
        if done.returncode != 0:
            raise SystemExit(f"{name}: {' '.join(command)}: {done.stderr}")
        return done.stdout.strip()

    def _exec(self, name: str, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([self._tool, "exec", f"{PREFIX}-{name}", *command], capture_output=True, text=True, check=False)

    def delete_volumes(self) -> None:
        names = [f"{PREFIX}-{name}" for name in load_compose()["volumes"]]
        subprocess.run([self._tool, "volume", "rm", "--force", *names], capture_output=True, check=False)


def find_awaited(service: dict[str, Any]) -> list[str]:
    """Return the services that have to be healthy before this one is started."""
    depends = service.get("depends_on", ())
    return [name for name in depends if isinstance(depends, dict) and depends[name]["condition"] == "service_healthy"]


def work_more(learners: list[ClassLearner]) -> None:
    """Have each learner save another text and submit a program."""
    for learner in learners:
        learner.save(f"x = '{secrets.token_hex(4)}'")
        learner.submit()


def find_free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
        return port


if __name__ == "__main__":
    main()
