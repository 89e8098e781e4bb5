"""The compiled filter in a process without any other layer, so that only the filter can refuse."""

import ctypes
import os
import socket
import subprocess
import threading
from collections.abc import Callable

import pytest

from app.sandbox import kernel
from app.sandbox.confinement.seccomp import compile_filter, number_of

FILTER = compile_filter(may_change_modes=False, may_ask_for_room=False)


def in_filtered_process(action: Callable[[], object]) -> str:
    """Return the result of an action, or its error, in a forked process with the filter."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
            kernel.load_filter(FILTER)
            answer = repr(action())
        except OSError as error:
            answer = f"errno {error.errno}"
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    answer = os.read(reader, 1000).decode()
    os.close(reader)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return answer or f"status {status}"


def start_thread() -> str:
    said: list[str] = []
    thread = threading.Thread(target=said.append, args=("ran",))
    thread.start()
    thread.join()
    return said[0]


@pytest.mark.parametrize(
    "action",
    [
        os.fork,
        socket.socket,
        lambda: socket.socket(socket.AF_UNIX),
        lambda: subprocess.run(["true"], check=False),
        lambda: os.execv("/bin/true", ["true"]),
        lambda: os.memfd_create("x"),
        lambda: os.chmod("/tmp", 0o777),
        lambda: os.pidfd_open(os.getpid()),
        lambda: os.setuid(1),
        lambda: os.mkfifo("/tmp/fifo"),
        lambda: os.chroot("/"),
        lambda: kernel.unshare(kernel.CLONE_NEWUSER),
        lambda: kernel.prctl(kernel.PR_SET_PDEATHSIG, 0),
        lambda: kernel.prctl(kernel.PR_SET_DUMPABLE, 1),
    ],
)
def test_a_denied_call_answers_eperm(action: Callable[[], object]) -> None:
    assert in_filtered_process(action) == "errno 1"


@pytest.mark.parametrize(
    "name", ["ptrace", "process_vm_readv", "keyctl", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "mount"]
)
def test_a_dangerous_call_answers_eperm(name: str) -> None:
    number = number_of(name)

    def call() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) < 0:
            raise OSError(ctypes.get_errno(), name)

    assert in_filtered_process(call) == "errno 1"


def test_threads_start() -> None:
    assert in_filtered_process(start_thread) == "'ran'"


def test_an_x32_call_kills() -> None:
    if os.uname().machine != "x86_64":
        pytest.skip("x32 is an ABI of x86_64")
    assert in_filtered_process(lambda: ctypes.CDLL(None).syscall(0x40000000 + 39)) == "status -31"


def test_without_the_filter_the_same_calls_succeed() -> None:
    pid = os.fork()
    if pid == 0:
        socket.socket().close()
        kernel.prctl(kernel.PR_SET_PDEATHSIG, 0)
        os._exit(0 if start_thread() == "ran" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
