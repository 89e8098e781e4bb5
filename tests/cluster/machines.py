"""Machines of their own on this one, for tests of clusters: each has its network, processes, /tmp and /dev/shm. Needs root and iproute2.

A machine is a set of namespaces. Its first process starts one command, and starts it again whenever it fails, as systemd would do. When the
first process is killed, the kernel kills all others with it.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from app.settings import PROJECT
from tests.bench.processes import command, descendants

FIRST = """
if [ -n "$2" ]; then mount --bind "$2/app" "$3/app" || exit 3; fi
mount --bind "$1/tmp" /tmp && mount -t tmpfs -o size=1g tmpfs /dev/shm || exit 3
shift 3
until "$@"; do sleep 0.5; done
"""
KEPT_VARIABLES = ("PATH", "HOME", "LANG")
numbers = count(1)


def requirements_missing() -> str | None:
    """Return what is missing for machines, or None."""
    if os.geteuid() != 0:
        return "only root can make namespaces"
    missing = [name for name in ("ip", "nsenter", "unshare") if shutil.which(name) is None]
    return f"there is no {missing[0]}: apt-get install iproute2 util-linux" if missing else None


class Network:
    """A network of machines. This machine is in it, too, with the address `host`."""

    def __init__(self) -> None:
        self.number = os.getpid() % 250
        self.bridge = f"grb{self.number}"
        self.host = f"10.233.{self.number}.1"

    def open(self) -> None:
        ip("link", "add", self.bridge, "type", "bridge")
        ip("addr", "add", f"{self.host}/24", "dev", self.bridge)
        ip("link", "set", self.bridge, "up")

    def close(self) -> None:
        ip("link", "del", self.bridge)


class Machine:
    """A machine. `disk` outlives its end. `tree`: another copy of the project, whose code it has in place of ours."""

    def __init__(self, network: Network, name: str, disk: Path, tree: Path | None = None) -> None:
        number = next(numbers)
        self.name, self.disk, self.tree = name, disk, tree
        self.address = f"10.233.{network.number}.{number + 9}"
        self.namespace = f"{network.bridge}-{name}"
        self.state = disk / "tmp" / "state"  # /tmp/state in the machine
        self.state.mkdir(parents=True)
        (disk / "tmp").chmod(0o1777)
        self._process: subprocess.Popen[bytes] | None = None
        outside = f"grv{network.number}x{number}"
        ip("netns", "add", self.namespace)
        ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", self.namespace)
        ip("link", "set", outside, "master", network.bridge, "up")
        for words in (
            f"addr add {self.address}/24 dev eth0",
            "link set eth0 up",
            "link set lo up",
            f"route add default via {network.host}",
        ):
            ip("-n", self.namespace, *words.split())

    def switch_on(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start the command, and start it again whenever it fails, until it succeeds or the machine is switched off."""
        first = ("sh", "-c", FIRST, "sh", str(self.disk), str(self.tree or ""), str(PROJECT), *words)
        own = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
        variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        with (self.disk / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ("nsenter", f"--net=/run/netns/{self.namespace}", *own, *first),
                env={**variables, "GRADROOM_STATE_FOLDER": "/tmp/state", **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def is_on(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def switch_off(self) -> None:
        """Kill everything at once."""
        if self._process is None:
            return
        for pid in descendants(self._process.pid)[:1]:  # the first process, with which all others end
            os.kill(pid, signal.SIGKILL)
        self._process.wait(60)
        self._process = None

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command in the machine, and return how it ended."""
        assert self._process is not None
        first = descendants(self._process.pid)[0]
        environment = {**os.environ, "GRADROOM_STATE_FOLDER": "/tmp/state"}
        entered = ("nsenter", f"--target={first}", "--net", "--mount", "--pid", *words)
        return subprocess.run(entered, env=environment, capture_output=True, text=True, check=False)

    def wait_until_off(self, seconds: float) -> None:
        """Wait until its command has succeeded."""
        assert self._process is not None
        self._process.wait(seconds)
        self._process = None

    def find(self, mark: str) -> list[int]:
        """Return the processes whose command has this text."""
        return [pid for pid in (descendants(self._process.pid) if self._process else []) if mark in command(pid)]

    def remove(self) -> None:
        self.switch_off()
        ip("netns", "del", self.namespace)


@contextmanager
def network_of_machines() -> Iterator[Network]:
    network = Network()
    network.open()
    try:
        yield network
    finally:
        network.close()


def ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, capture_output=True)
