"""The sandbox child, after the fork: it confines itself, reports this, and only then receives requests.

Nothing here returns to the zygote: the process answers requests until it is killed or its channel is closed.
"""

import contextlib
import ctypes
import faulthandler
import gc
import os
import signal
import tempfile
import threading

import msgspec

from app.protocol.channel import Begun, Checked, Down, Examine, Execute, Judged, Ready, Shown, Touch, Touched
from app.protocol.grading import CheckResult, Examination
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.run import Program
from app.runtimes.output_streams import Output
from app.runtimes.runtime import Runtime
from app.sandbox.cgroups.cgroup import enter_groups
from app.sandbox.child.child_link import ChildLink, OutOfPlace
from app.sandbox.confinement.confinement import CHANNEL, Confinement, Identity, confine, restrain, try_forbidden
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.framing import ChannelClosed, read_frame, write_frame

WATCHDOG_SIGNAL = signal.SIGUSR1  # the runner sends it to ask which line is running
_STREAMS = 3  # the first descriptors: the channel, stdout and stderr
CONFINEMENT_FAILED = 78  # EX_CONFIG; the runner sees a child that never became ready
_NO_MEMORY = b"MemoryError\n"

_decoder = msgspec.msgpack.Decoder(Down)
_leave = os._exit  # taken before a learner can replace it

# mallopt(3). Setting the threshold also keeps glibc from raising it.
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 128 * 1024
_libc = ctypes.CDLL(None)


def take_descriptors(channel: int, stdout: int, stderr: int) -> None:
    """Put /dev/null, the two outputs and the run channel at the descriptors 0 to 3. Confinement closes all others."""
    null = os.open("/dev/null", os.O_RDWR)
    for wanted, descriptor in ((0, null), (1, stdout), (2, stderr), (CHANNEL, channel)):
        os.dup2(descriptor, wanted)


def run_child(descriptors: list[int], confinement: Confinement, identity: Identity, budget: Budget, runtime: Runtime) -> None:
    """Confine this process and answer requests. `descriptors` came with the zygote's message `Fork`. Never returns."""
    try:
        take_descriptors(*descriptors[:_STREAMS])
        enter_groups(descriptors[_STREAMS:])
        probes = _lock_down(confinement, identity, budget)
        output = Output()
        _prepare_interpreter(identity.scratch, output)
        if budget.is_scarce:
            _return_large_blocks()
        write_frame(CHANNEL, Ready(probes=probes))
        _serve(runtime, output)
    except MemoryError:
        os.write(2, _NO_MEMORY)  # there may be too little memory for a longer text
        _leave(CONFINEMENT_FAILED)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
        _leave(CONFINEMENT_FAILED)
    _leave(0)


def _lock_down(confinement: Confinement, identity: Identity, budget: Budget) -> dict[str, bool]:
    """Confine this process, then try forbidden things. Return for each whether the kernel refused it."""
    if not confinement.confined:
        restrain(confinement, identity.scratch, budget)
        return {}
    confine(confinement, identity.uid, identity.scratch, budget)
    return try_forbidden(confinement.canary)


def _prepare_interpreter(scratch: str, output: Output) -> None:
    output.install()
    os.environ.update(HOME=scratch, TMPDIR=scratch)
    tempfile.tempdir = None
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(WATCHDOG_SIGNAL, file=2, all_threads=False)
    gc.enable()


def _serve(runtime: Runtime, output: Output) -> None:
    """Answer one request after another, until the runner closes the channel or, as it usually does, kills this process."""
    with contextlib.suppress(ChannelClosed):
        while True:
            frame = read_frame(CHANNEL, _decoder)
            match frame:
                case Touch():
                    runtime.touch()
                    write_frame(CHANNEL, Touched())
                case Execute():
                    _execute(runtime, output, frame.program)
                    if frame.serving:
                        ChildLink(CHANNEL, _decoder).serve(runtime.answer)
                case Examine():
                    _examine(runtime, frame.examination)
                case _:
                    raise OutOfPlace(type(frame).__name__)


def _execute(runtime: Runtime, output: Output, program: Program) -> None:
    lock = threading.Lock()

    def emit(record: Record) -> None:
        output.flush()
        shown = Shown(record=encode_record(record), stdout_bytes=output.stdout_bytes)
        with lock:
            write_frame(CHANNEL, shown)

    write_frame(CHANNEL, Begun())
    over = runtime.execute(program, emit)
    output.flush()
    with lock:
        write_frame(CHANNEL, over)


def _examine(runtime: Runtime, examination: Examination) -> None:
    def report(check: CheckResult) -> None:
        write_frame(CHANNEL, Checked(check))

    _return_large_blocks()  # a reference solution may use most of this child's memory
    write_frame(CHANNEL, Judged(runtime.examine(examination, ChildLink(CHANNEL, _decoder), report)))


def _return_large_blocks() -> None:
    """Let freed blocks of 128 KiB and more go back to the kernel at once, so that they do not count against the limit of memory.

    After the first large block is freed, glibc would keep later ones in its heap. A freed tensor leaves a gap there that a new block does
    not fit into, because a tensor's block is aligned: a program with 70 MiB of tensors took 290 MiB. Returning blocks costs a page fault
    for each page that is written again, so it is done only where memory is scarce. Other C libraries return large blocks anyway.
    """
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
