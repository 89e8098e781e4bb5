"""Is a child really locked down? Looked at from outside, before it is sent a line of source. Runs in the runner.

Source: proc_pid_status(5). Landlock leaves no trace in /proc, so the probes of the child itself, in which no learner code
has run yet, stand for it.
"""

from pathlib import Path

import msgspec

EXPECTED_PROBES = {"read_file", "open_socket", "fork", "exec"}


class NotConfined(Exception):
    """A child does not show every mark of its confinement; it is sent nothing."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of /proc/<pid>/status that tell."""

    uid: int
    no_new_privs: bool
    seccomp_filter: bool
    capabilities: int
    threads: int


def read_status(pid: int) -> Status:
    """What the kernel says of a process. Raises NotConfined if it is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError as error:
        raise NotConfined(f"process {pid} is gone") from error
    fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
    return Status(
        uid=int(fields["Uid"].split()[1]),
        no_new_privs=fields["NoNewPrivs"] == "1",
        seccomp_filter=fields["Seccomp"] == "2",
        capabilities=int(fields["CapEff"], 16) | int(fields["CapPrm"], 16),
        threads=int(fields["Threads"]),
    )


def verify_child(pid: int, uid: int | None, probes: dict[str, bool]) -> None:
    """Raise NotConfined, naming the first mark that is missing. `uid`: the one it should have become, if any."""
    status = read_status(pid)
    if status.uid == 0:
        raise NotConfined("the child runs as root")
    if uid is not None and status.uid != uid:
        raise NotConfined(f"the child's uid is {status.uid}, not {uid}")
    if not status.no_new_privs:
        raise NotConfined("no_new_privs is not set")
    if not status.seccomp_filter:
        raise NotConfined("no seccomp filter is active")
    if status.capabilities:
        raise NotConfined(f"the child holds capabilities {status.capabilities:x}")
    if status.threads != 1:
        raise NotConfined(f"the child has {status.threads} threads before it runs")
    missing = EXPECTED_PROBES - {name for name, refused in probes.items() if refused}
    if missing:
        raise NotConfined(f"the child was not refused: {', '.join(sorted(missing))}")
