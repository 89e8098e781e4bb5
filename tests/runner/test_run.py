"""Runs from order to result, in a real sandbox: outcomes, places, order of events, replay."""

import pytest
from msgspec import Raw

from app.protocol.event import Started, Stdout
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.graph import GraphRecord
from app.protocol.records.registry import decode_record, decode_records
from app.protocol.records.value import ValueRecord
from app.protocol.run import Program, RunResult, Source
from tests.programs import Programs

SHORT = Limits(deadline_seconds=1.0)


@pytest.mark.parametrize(
    ("source", "outcome", "kind"),
    [
        ("1/0", Outcome.RAISED, "ZeroDivisionError"),
        ("x = (1,\ny", Outcome.RAISED, "SyntaxError"),
        ("import sys\nsys.exit(2)", Outcome.RAISED, "SystemExit"),
        ("input()", Outcome.RAISED, "EOFError"),
        ("import torch\ntorch.empty(10**12)", Outcome.OUT_OF_MEMORY, "RuntimeError"),
        ("[0] * 10**10", Outcome.OUT_OF_MEMORY, "MemoryError"),
        ("import torch\nkept = []\nwhile True: kept.append(torch.ones(10**6))", Outcome.OUT_OF_MEMORY, "RuntimeError"),
        ("for i in range(10**6): print('0123456789')", Outcome.OUTPUT_LIMIT, "OutputLimit"),
        ("print('x' * 10**7)", Outcome.OUTPUT_LIMIT, "OutputLimit"),
        ("import os\nos.fork()", Outcome.FORBIDDEN, "PermissionError"),
        ("open('/etc/passwd')", Outcome.FORBIDDEN, "PermissionError"),
        ("import socket\nsocket.socket()", Outcome.FORBIDDEN, "PermissionError"),
        ("import subprocess\nsubprocess.run(['ls'])", Outcome.FORBIDDEN, "PermissionError"),
        ("import os\nos._exit(3)", Outcome.CRASHED, "Exit"),
        ("import ctypes\nctypes.string_at(0)", Outcome.CRASHED, "Crash"),
        ("import os\nos.write(3, bytes([0, 0, 0, 1, 255]))\nimport time\ntime.sleep(9)", Outcome.CRASHED, "Crash"),
    ],
)
def test_what_a_program_does_decides_its_outcome(programs: Programs, source: str, outcome: Outcome, kind: str) -> None:
    result = programs.run(source)
    assert result.outcome == outcome
    assert result.error is not None
    assert result.error.type == kind
    if outcome is not Outcome.RAISED:
        assert result.error.explanation
    assert programs.run("print('fine')").stdout == "fine\n"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("while True:\n    pass", (1, 2)),
        ("import time\n\ntime.sleep(60)", (3,)),
        ("import torch\na = torch.rand(1500, 1500)\nwhile True:\n    a @ a", (3, 4)),
        (
            "def spin():\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\nspin()",
            (2, 3, 4, 5),
        ),
    ],
)
def test_a_program_at_its_deadline_is_ended_and_its_line_named(programs: Programs, source: str, line: tuple[int, ...]) -> None:
    result = programs.run(source, SHORT)
    assert result.outcome == Outcome.TIMED_OUT
    assert result.error is not None
    assert result.error.line in line
    assert result.timing.run_ms >= 990  # clocks differ by a little


def test_a_program_that_blocks_every_signal_is_ended_all_the_same(programs: Programs) -> None:
    source = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass"
    assert programs.run(source, SHORT).outcome == Outcome.TIMED_OUT


def test_torch_computes_with_as_many_threads_as_it_may(programs: Programs) -> None:
    source = Source(text="import torch\nprint(torch.get_num_threads())\nx = torch.rand(500, 500)\n(x @ x).sum()")
    result = programs.run("", Limits(compute_threads=2), Program(source=source, threads=2))
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "2\n")


def test_what_was_printed_before_the_deadline_is_kept(programs: Programs) -> None:
    assert programs.run("print('here')\nwhile True: pass", SHORT).stdout == "here\n"


def test_sys_exit_with_zero_is_finished(programs: Programs) -> None:
    assert programs.run("import sys\nsys.exit(0)").outcome == Outcome.FINISHED


def test_an_exception_that_the_program_caught_is_its_own_business(programs: Programs) -> None:
    result = programs.run("try:\n    open('/etc/passwd')\nexcept PermissionError as error:\n    print(type(error).__name__)")
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "PermissionError\n")


def test_events_come_in_the_order_they_happened(programs: Programs) -> None:
    source = (
        "import torch, torchviz\nx = torch.ones(2, requires_grad=True)\nprint('one')\ng = torchviz.make_dot(x * 2)\nprint('two')\nx.sum()"
    )
    events = programs.events(source)
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["Started", "Stdout", "Raw", "Stdout", "Raw", "RunResult"]
    assert isinstance(events[0], Started)
    graph, value = (decode_record(bytes(event)) for event in events if isinstance(event, Raw))
    assert (graph.stdout_offset, value.stdout_offset) == (4, 8)
    assert [event.text for event in events if isinstance(event, Stdout)] == ["one\n", "two\n"]
    last = events[-1]
    assert isinstance(last, RunResult)
    assert [type(record) for record in decode_records(last.records)] == [GraphRecord, ValueRecord]


def test_output_of_compiled_code_is_shown(programs: Programs) -> None:
    assert "from C" in programs.run("import ctypes\nctypes.CDLL(None).puts(b'from C')").stdout


def test_a_graph_comes_with_its_picture(programs: Programs) -> None:
    result = programs.run("import torch, torchviz\nx = torch.ones(2, requires_grad=True)\ntorchviz.make_dot(x.exp(), params={'x': x})")
    (graph,) = result.records
    assert isinstance(graph, GraphRecord)
    assert graph.svg is not None
    assert graph.svg.startswith("<svg")
    assert "ExpBackward0" in graph.svg


def test_output_is_harmless_text(programs: Programs) -> None:
    result = programs.run("import sys\nsys.stdout.buffer.write(b'a\\x1b[31m\\xff\\x00b\\n')\nsys.stdout.flush()")
    assert result.stdout == "a␛[31m\ufffd␀b\n"


def test_replayed_cells_define_and_stay_silent(programs: Programs) -> None:
    first = Source(text="print('hidden')\nx = 20\nx", cell="first")
    second = Source(text="y = 1\n1/0", cell="second", raises="ZeroDivisionError")
    result = programs.run("", program=Program(source=Source(text="print(x + y)", cell="third"), replay=[first, second]))
    assert (result.outcome, result.stdout, result.records) == (Outcome.FINISHED, "21\n", [])


def test_an_error_in_a_replayed_cell_names_that_cell(programs: Programs) -> None:
    replay = [Source(text="\n\nnope", cell="first")]
    result = programs.run("", program=Program(source=Source(text="1", cell="second"), replay=replay))
    assert result.error is not None
    assert (result.outcome, result.error.cell, result.error.line) == (Outcome.RAISED, "first", 3)


def test_the_same_source_gives_the_same_result(programs: Programs) -> None:
    source = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1), hash('a'))"
    assert programs.run(source).stdout == programs.run(source).stdout


def test_runs_leave_nothing_for_the_next(programs: Programs) -> None:
    programs.run("import builtins, torch\nbuiltins.left = 1\nopen('left.txt', 'w').write('x')\ntorch.left = 1")
    source = "import builtins, os, torch\nprint(hasattr(builtins, 'left'), os.listdir('.'), hasattr(torch, 'left'))"
    assert programs.run(source).stdout == "False [] False\n"


def test_sinh_bad_passes_gradcheck_and_fails_gradgradcheck(programs: Programs) -> None:
    result = programs.run(
        "import torch\nfrom torch.autograd import gradcheck, gradgradcheck\n"
        "class SinhBad(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        ctx.up, ctx.down = torch.exp(x), torch.exp(-x)\n"
        "        return (ctx.up - ctx.down) / 2\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g * (ctx.up + ctx.down) / 2\n"
        "x = torch.rand(3, dtype=torch.double, requires_grad=True)\ngradcheck(SinhBad.apply, x)\ngradgradcheck(SinhBad.apply, x)\n"
    )
    checks = [record for record in result.records if isinstance(record, GradcheckRecord)]
    assert [(check.order, check.passed) for check in checks] == [(1, True), (2, False)]
    assert result.outcome == Outcome.RAISED


SEND = (
    "import os, struct, msgspec\ndef send(frame):\n    body = msgspec.msgpack.encode(frame)\n"
    "    os.write(3, struct.pack('>I', len(body)) + body)\n"
)


@pytest.mark.parametrize(
    "frame",
    [
        "{'frame': 'over', 'ending': 'raised'}",
        "{'frame': 'over', 'ending': 'raised', 'error': {'type': 'E', 'message': 'm', 'line': -5}}",
        "{'frame': 'shown', 'record': msgspec.json.encode({'kind': 'value', 'id': 'value-1', 'text': 1})}",
        "{'frame': 'shown', 'record': b'no JSON'}",
        "[[[[]]]]",
    ],
)
def test_a_forged_frame_ends_the_run_as_crashed(programs: Programs, frame: str) -> None:
    assert programs.run(f"{SEND}send({frame})\nwhile True: pass", SHORT).outcome == Outcome.CRASHED


def test_a_forged_ending_says_nothing_for_others_and_nothing_in_our_name(programs: Programs) -> None:
    error = "{'type': 'E\\x1b', 'message': 'm', 'explanation': 'ours', 'pitfall': 'ours', 'name': 'ours'}"
    forged = f"{{'frame': 'over', 'ending': 'raised', 'versions': {{'torch': 'x'}}, 'error': {error}}}"
    result = programs.run(f"{SEND}send({forged})\nwhile True: pass", SHORT)
    assert result.error is not None
    assert (result.error.type, result.error.explanation, result.error.pitfall, result.error.name) == ("E␛", None, None, None)
    assert programs.run("1").versions["torch"] == result.versions["torch"] != "x"


def test_a_forged_crash_dump_does_not_break_the_run(programs: Programs) -> None:
    dump = 'Fatal Python error: x\\n  File "<source>", line ' + "1" * 5000 + " in f\\n"
    assert programs.run(f"import os\nos.write(2, b'{dump}')\nos._exit(3)").outcome == Outcome.CRASHED


def test_the_deadline_does_not_wait_for_pictures(programs: Programs) -> None:
    source = (
        f"{SEND}nodes = [{{'id': f'n{{i}}', 'kind': 'function', 'label': 'f'}} for i in range(900)]\n"
        "edges = [{'source': f'n{(i * 7) % 900}', 'target': f'n{(i * 13 + 1) % 900}'} for i in range(1500)]\n"
        "for i in range(30):\n"
        "    record = msgspec.json.encode({'kind': 'graph', 'id': f'graph-{i}', 'nodes': nodes, 'edges': edges})\n"
        "    send({'frame': 'shown', 'record': record})\nwhile True: pass"
    )
    result = programs.run(source, SHORT)
    assert result.outcome == Outcome.TIMED_OUT
    assert result.timing.run_ms < 10_000
    assert any(isinstance(record, GraphRecord) and record.note for record in result.records)
