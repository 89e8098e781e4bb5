"""Imitates a host that lacks something: a filter refuses system calls to the runner and all processes that it starts.

python -m tests.sandbox.missing unshare=EPERM landlock_create_ruleset=ENOSYS -- COMMAND…
"""

import errno
import os
import sys

import pyseccomp

NAMESPACES = "unshare=EPERM"  # as Docker's own profile does
LANDLOCK = "landlock_create_ruleset=ENOSYS"  # as a kernel before 5.13 does


def without(*refusals: str) -> list[str]:
    """Return what to put before a command to run it on such a host. A refusal is `system_call=ERRNO`."""
    return [sys.executable, "-m", "tests.sandbox.missing", *refusals, "--"]


def refuse(refusals: list[str]) -> None:
    """Refuse these system calls to this process and its children, for good."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for refusal in refusals:
        name, _, error = refusal.partition("=")
        rules.add_rule(pyseccomp.ERRNO(getattr(errno, error)), name)
    rules.load()


if __name__ == "__main__":
    end = sys.argv.index("--")
    refuse(sys.argv[1:end])
    os.execvp(sys.argv[end + 1], sys.argv[end + 1 :])
