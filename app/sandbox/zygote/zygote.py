"""The zygote: a process that has imported and warmed up a framework, and forks a child for each run.

The runner starts it with a clean environment as `python -s -P -m app.sandbox.zygote.zygote N`, where N is the descriptor of its control
socket. It has a single thread, which is checked before each fork: a child would hang at a lock that another thread had locked. Runs
before the fork.
"""

import contextlib
import functools
import gc
import os
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.runtimes.runtime import Runtime, load_runtime
from app.runtimes.specs import RuntimeSpec
from app.sandbox import kernel
from app.sandbox.child.child import run_child
from app.sandbox.confinement.confinement import Confinement, Identity
from app.sandbox.confinement.files import prepare_rules, readable_paths
from app.sandbox.confinement.rlimits import count_tasks, measure_present
from app.sandbox.confinement.root import CANARY, SCRATCH, enter_minimal_root
from app.sandbox.confinement.seccomp import compile_filter
from app.sandbox.scratch.scratch_folders import ScratchFolders
from app.sandbox.zygote.control import FORK_DESCRIPTORS, PACKET_BYTES, Begin, Broken, Down, Exited, Fork, Kill, Measure, Measured, Up, Warm
from app.sandbox.zygote.free_blocks import take_free_blocks
from app.sandbox.zygote.host import Host, probe_host, switched_off
from app.sandbox.zygote.huge_pages import merge_pages
from app.sandbox.zygote.namespaces import PidNamespaces, enter_namespaces
from app.sandbox.zygote.privileges import drop_privileges

LoadRuntime = Callable[[RuntimeSpec], Runtime]
_decoder = msgspec.msgpack.Decoder(Down)


class Zygote:
    """Prepares what all children share, then forks children on demand and reaps them."""

    def __init__(self, control: socket.socket, begin: Begin, host: Host, load: LoadRuntime) -> None:
        self._control = control
        self._folder = begin.folder
        self._early = begin.early
        self._host = host
        self._children: dict[int, tuple[int, Identity]] = {}  # by pid in this namespace: slot and identity
        self._scratches = ScratchFolders(begin.folder)
        self._tasks = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY)
        tempfile.tempdir = begin.folder  # some frameworks write while they are imported, and there may be no other writable folder
        self._runtime = load(begin.runtime)

    def warm_up(self) -> None:
        self._runtime.preload()
        self._runtime.warm_up()
        if not self._early:
            self._runtime.complete()
        self._pid_namespaces = PidNamespaces() if self._host.namespaces else None
        gc.collect()  # before the present sizes are measured: memory freed later would be added to each child's limit
        take_free_blocks()
        if not self._early:
            merge_pages()  # while /proc is still there
        self._confinement = self._prepare_confinement()
        gc.freeze()
        self._send(Warm(host=self._host, versions=self._runtime.versions, present=self._confinement.present))

    def _prepare_confinement(self) -> Confinement:
        landlock = self._host.landlock_abi > 0
        canary = CANARY if self._host.namespaces and landlock else self._make_canary(0o644 if landlock else 0o600)
        readable = readable_paths()
        proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        present = measure_present(0 if self._host.own_uid else count_tasks(os.getuid()))
        if self._host.namespaces:
            enter_minimal_root(Path(self._folder), readable)
        confinement = Confinement(
            confined=self._host.confined,
            namespaces=self._host.namespaces,
            landlock=landlock,
            readable=readable,
            rules=prepare_rules(readable, SCRATCH) if landlock and self._host.namespaces else None,
            filter=compile_filter(may_change_modes=self._host.own_uid or self._host.namespaces, may_ask_for_room=self._host.namespaces),
            canary=canary,
            present=present,
            proc=proc,
        )
        if self._host.confined:
            drop_privileges()
        return confinement

    def _make_canary(self, mode: int) -> str:
        """Make a file that no child may read, and return its path. Landlock, the minimal root or the file's mode prevents reading."""
        path = Path(self._folder, "canary")
        path.write_text("canary")
        path.chmod(mode)
        return str(path)

    def serve(self) -> None:
        """Handle messages and reap children until the runner closes the control socket."""
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(reader, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor == reader:
                    with contextlib.suppress(BlockingIOError):
                        os.read(reader, 4096)
                    self._reap()
                elif not self._handle_message():
                    return

    def _handle_message(self) -> bool:
        """Handle the next message and return True. Return False if the runner has closed the socket."""
        packet, descriptors, _, _ = socket.recv_fds(self._control, PACKET_BYTES, FORK_DESCRIPTORS)
        if not packet:
            return False
        message = _decoder.decode(packet)
        if isinstance(message, Fork):
            self._fork(message, descriptors)
        elif isinstance(message, Kill):
            self._kill(message.slot)
        elif isinstance(message, Measure):
            self._measure(message)
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _fork(self, order: Fork, descriptors: list[int]) -> None:
        if self._count_tasks() != 1:
            self._send(Broken(reason=f"the zygote has {self._count_tasks()} threads; it must have one"))
            raise SystemExit(1)
        try:
            uid = order.uid if self._host.own_uid else None
            identity = Identity(uid=uid, scratch=SCRATCH if self._host.namespaces else self._scratches.make(uid))
            pid = self._pid_namespaces.fork() if self._pid_namespaces else os.fork()
        except OSError as error:
            self._send(Exited(slot=order.slot, status=error.errno or 1, cpu_seconds=0.0))
            return
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            run_child(descriptors, self._confinement, identity, order.budget, self._runtime)
        self._children[pid] = (order.slot, identity)

    def _kill(self, slot: int) -> None:
        for pid, (owner, _) in self._children.items():
            if owner == slot:
                os.kill(pid, signal.SIGKILL)

    def _measure(self, order: Measure) -> None:
        for pid, (slot, identity) in self._children.items():
            if slot == order.slot:
                report = functools.partial(self._report_measure, pid)
                self._scratches.measure(pid, identity, order.scratch_bytes, order.scratch_inodes, report)

    def _report_measure(self, pid: int, within: bool | None) -> None:
        if pid in self._children:  # else the slot may belong to another child by now
            self._send(Measured(slot=self._children[pid][0], within=within))

    def _reap(self) -> None:
        for pid in [*self._children, *self._scratches.helpers]:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if os.WIFSTOPPED(status):  # a child that is traced, on a host where nothing forbids it
                continue
            if done and pid in self._children:
                self._on_exit(pid, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime)
            elif done:
                self._scratches.on_helper_exit(pid, status)

    def _on_exit(self, pid: int, status: int, cpu_seconds: float) -> None:
        """Remove the scratch of a child that has ended, then report its end: its slot is free from then on."""
        slot, identity = self._children.pop(pid)
        exited = Exited(slot=slot, status=status, cpu_seconds=cpu_seconds)
        if self._host.namespaces:
            self._send(exited)
        else:
            self._scratches.clean_up(pid, identity, lambda: self._send(exited))

    def _count_tasks(self) -> int:
        return len(os.listdir(self._tasks))

    def _send(self, message: Up) -> None:
        self._control.send(msgspec.msgpack.encode(message))


def _enter_namespaces_as_new_process(control: socket.socket) -> None:
    """Enter the namespaces and fork.

    Returns only in the new process, which is process 1 of the pid namespace; the old one waits for its end.
    """
    enter_namespaces()
    pid = os.fork()
    if pid:
        control.close()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def main(load: LoadRuntime = load_runtime) -> None:
    """Serve the runner. `load` makes the runtime: tests have one without a framework."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal reaches all processes, but the runner decides when zygotes end
    control = socket.socket(fileno=int(sys.argv[1]))
    gc.disable()  # what is imported is never freed, and a collection would write to every page that children share
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the runner has ended
        _serve(control, load)


def _serve(control: socket.socket, load: LoadRuntime) -> None:
    """Read the runner's first message, warm up, and serve until the runner closes the socket."""
    packet = control.recv(PACKET_BYTES)
    if not packet:
        return
    begin = _decoder.decode(packet)
    assert isinstance(begin, Begin)
    try:
        host = probe_host(begin.uid) if begin.confined else switched_off()
        if host.namespaces:
            _enter_namespaces_as_new_process(control)
        zygote = Zygote(control, begin, host, load)
        zygote.warm_up()
    except Exception as error:
        control.send(msgspec.msgpack.encode(Broken(reason=f"{type(error).__name__}: {error}")))
        raise
    zygote.serve()


if __name__ == "__main__":
    main()
