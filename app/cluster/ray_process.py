"""`ray start` of one node, as a process that `gradroom cluster` supervises. All that Ray starts is in one session, and ends with it.

    python -m app.cluster.ray_process KEY_FOLDER OWN_FOLDER -- OPTIONS OF ray start…

Ray itself is not imported. Its command starts processes which outlive it if it is killed. The node's folder has a note of their session, so
that the next start ends them.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FrameType

from app.cluster.key_folder import KeyFolder

DRAIN_SECONDS = 3  # for Ray's proxies; runs have ended before, because the runner drained
END_SECONDS = 10.0
SERVING = {
    "RAY_SERVE_ENABLE_HA_PROXY": "1",
    "RAY_SERVE_THROUGHPUT_OPTIMIZED": "1",
    "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": str(DRAIN_SECONDS),
    "RAY_USAGE_STATS_ENABLED": "0",
    # The head asks each node whether it lives. A killed one refuses connections, and is given up after 3 s instead of 15. Only then are its
    # relay and its proxy started again on its successor. How long a slow answer may take stays as it is.
    "RAY_health_check_period_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    # Nodes serve without a head for so long, and end then. A head whose state is in Redis may be away for the time of a reboot.
    "RAY_gcs_rpc_server_reconnect_timeout_s": "600",
}


def main(keys: KeyFolder, options: list[str]) -> int:
    """Run `ray start` until it ends or SIGTERM comes. Return its status."""
    end_noted_session(keys)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRADROOM_")}
    command = (sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *options)
    process = subprocess.Popen(command, env={**environment, **keys.environment(), **SERVING}, start_new_session=True)
    note_of(keys).write_text(str(process.pid))

    def stop(number: int, frame: FrameType | None) -> None:
        process.terminate()

    signal.signal(signal.SIGTERM, stop)
    status = process.wait()
    end_noted_session(keys)
    return status


def note_of(keys: KeyFolder) -> Path:
    return keys.own / "ray_session"


def end_noted_session(keys: KeyFolder) -> None:
    """End what is left of the session that the note names, if there is a note."""
    note = note_of(keys)
    if note.exists():
        end_session(int(note.read_text()))
        note.unlink(missing_ok=True)


def stop_accepting(keys: KeyFolder) -> None:
    """Let the entry of this node accept no more connections. Runs of any node that web follows through it continue."""
    for pid in find_entries(keys):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGUSR1)


def find_entries(keys: KeyFolder) -> list[int]:
    """Return the processes of HAProxy on this node. There are several while one replaces another."""
    note = note_of(keys)
    return [pid for pid in find_processes(int(note.read_text())) if is_haproxy(pid)] if note.exists() else []


def is_haproxy(pid: int) -> bool:
    try:
        return Path(os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0])).name == "haproxy"
    except OSError:
        return False


def end_session(session: int) -> None:
    """End all processes of a session of Ray, and kill after a moment what is left."""
    deadline = time.monotonic() + END_SECONDS
    while processes := find_processes(session):
        number = signal.SIGTERM if time.monotonic() < deadline - END_SECONDS / 2 else signal.SIGKILL
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if time.monotonic() > deadline:
            return
        time.sleep(0.2)


def find_processes(session: int) -> list[int]:
    """Return the processes of a session, if it is one of Ray's."""
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            pid = int(folder.name)
            state, _, _, of_session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(of_session) == session and state != "Z" and is_rays((folder / "cmdline").read_bytes()):
                found.append(pid)
    return found


def is_rays(command: bytes) -> bool:
    return b"ray" in command.lower() or b"haproxy" in command


if __name__ == "__main__":
    sys.exit(main(KeyFolder(Path(sys.argv[1]), Path(sys.argv[2])), sys.argv[sys.argv.index("--") + 1 :]))
