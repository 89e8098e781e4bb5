"""Whole programs: records of trailing expressions, replay, modules, threads, endings."""

import pytest

from app.protocol.records.record import Span
from app.protocol.run import Program, Source
from tests.runtimes.children import Children

DEFINE = Source(text="import torch\nx = torch.ones(2)\nprint('replayed')\nx", cell="define")


def test_a_trailing_expression_is_shown_at_its_line(children: Children) -> None:
    ended = children.run("x = 40\nx + (\n  2\n)", cell="sum")
    (value,) = ended.values
    assert (value.text, value.span, value.title) == ("42", Span(cell="sum", line=2, column=0, end_line=4, end_column=1), "")
    assert ended.over.ending == "finished"


def test_the_title_of_a_value_is_the_expression_as_typed(children: Children) -> None:
    assert children.run("é = '好'; é.upper()  # shown").values[0].title == "é.upper()"


@pytest.mark.parametrize("source", ["None", "print('x')", "1;", "1 ; # hidden", "x = 1", "", "# only a comment", "def f(): 1", "'é';"])
def test_nothing_is_shown_for(children: Children, source: str) -> None:
    ended = children.run(source)
    assert (ended.records, ended.over.ending) == ([], "finished")


def test_the_main_module_is_the_learners(children: Children) -> None:
    ended = children.run(
        "import sys, pickle, typing, inspect\n"
        "class A:\n"
        "    x: 'A'\n"
        "    def f(self): return 1\n"
        "def g(): return 2\n"
        "print(__name__, sys.modules['__main__'].A is A, typing.get_type_hints(A), type(pickle.loads(pickle.dumps(A()))) is A)\n"
        "print(inspect.getsource(g), inspect.getsource(A), inspect.getsource(A.f), sys.argv, __file__)\n"
    )
    assert ended.stdout == (
        "__main__ True {'x': <class '__main__.A'>} True\n"
        "def g(): return 2\n class A:\n    x: 'A'\n    def f(self): return 1\n     def f(self): return 1\n [''] <source>\n"
    )


def test_the_source_of_a_class_from_a_replayed_cell_is_found(children: Children) -> None:
    ended = children.run(
        "import inspect\nprint(inspect.getsource(A), end='')", Source(text="class A:\n    def f(self): pass\n", cell="first")
    )
    assert ended.stdout == "class A:\n    def f(self): pass\n"


def test_future_statements_hold_for_the_trailing_expression(children: Children) -> None:
    assert children.run("from __future__ import annotations\n(lambda: 0).__class__").over.ending == "finished"


def test_replayed_cells_define_and_are_not_seen(children: Children) -> None:
    noisy = Source(
        text="import os, sys\nos.write(1, b'raw')\nprint('err', file=sys.stderr)\nimport ctypes\nctypes.CDLL(None).puts(b'c')", cell="noisy"
    )
    ended = children.run("print(x.sum().item())\nx * 2", DEFINE, noisy, cell="use")
    assert (ended.stdout, ended.stderr) == ("2.0\n", "")
    assert [(value.span.cell, value.span.line) for value in ended.values] == [("use", 2)]


def test_a_replayed_cell_that_raises_as_declared_keeps_what_it_defined(children: Children) -> None:
    ended = children.run("kept", Source(text="kept = 1\n1 / 0\nlost = 2", cell="failing", raises="ZeroDivisionError"))
    assert ended.values[0].text == "1"
    assert children.run("lost", Source(text="1 / 0\nlost = 2", raises="ZeroDivisionError")).error.type == "NameError"


@pytest.mark.parametrize("raises", [None, "ArithmeticError", "ValueError"])
def test_a_replayed_cell_that_raises_otherwise_ends_the_run(children: Children, raises: str | None) -> None:
    ended = children.run("print('never')", Source(text="x = 1\n\n1 / 0", cell="failing", raises=raises), cell="last")
    assert (ended.stdout, ended.records) == ("", [])
    assert (ended.over.ending, ended.error.type) == ("raised", "ZeroDivisionError")
    assert (ended.error.cell, ended.error.line, ended.error.column) == ("failing", 3, 0)


def test_a_replayed_cell_that_exits_with_success_is_over_like_one_that_ends(children: Children) -> None:
    assert children.run("x", Source(text="x = 7\nimport sys\nsys.exit()", cell="early")).values[0].text == "7"


def test_an_error_in_a_function_of_a_replayed_cell_is_placed_there(children: Children) -> None:
    ended = children.run("\nfail()", Source(text="def fail():\n    return 1 / 0", cell="define"), cell="use")
    assert [(frame.cell, frame.line, frame.function) for frame in ended.error.traceback] == [("use", 2, "<module>"), ("define", 2, "fail")]
    assert (ended.error.cell, ended.error.line) == ("define", 2)


@pytest.mark.parametrize(
    "threads",
    ["threading.Thread(target=work).start()", "import concurrent.futures\nconcurrent.futures.ThreadPoolExecutor(2).submit(work);"],
)
def test_what_threads_print_is_waited_for(children: Children, threads: str) -> None:
    ended = children.run(f"import threading, time\ndef work():\n    time.sleep(0.05)\n    print('late')\n{threads}")
    assert ended.stdout == "late\n"


def test_a_daemon_thread_is_not_waited_for(children: Children) -> None:
    ended = children.run("import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()")
    assert ended.over.ending == "finished"


def test_an_error_does_not_wait_for_threads_that_go_on(children: Children) -> None:
    ended = children.run("import threading\nthreading.Thread(target=threading.Event().wait).start()\n1 / 0")
    assert ended.error.type == "ZeroDivisionError"


def test_input_says_that_there_is_none(children: Children) -> None:
    ended = children.run("name = input('name? ')")
    assert (ended.over.ending, ended.error.type) == ("raised", "EOFError")
    assert "there is no input here" in ended.error.message


def test_the_seed_decides_all_random_numbers(children: Children) -> None:
    draw = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1).item(), torch.initial_seed())"
    first, again, other = children.run(draw, seed=5).stdout, children.run(draw, seed=5).stdout, children.run(draw, seed=2**32 - 1).stdout
    assert first == again != other
    assert first == children.run("", Source(text="pass"), seed=5).stdout + first
    assert other.endswith(f"{2**32 - 1}\n")


def test_seeding_is_what_manual_seed_does(children: Children) -> None:
    assert (
        children.run("import torch\nprint(torch.rand(3).tolist() == (torch.manual_seed(9), torch.rand(3).tolist())[1])", seed=9).stdout
        == "True\n"
    )


def test_hostile_programs_still_end_as_themselves(children: Children) -> None:
    """Functions that we use are looked up before a learner can replace them."""
    ended = children.run(
        "import builtins, sys, linecache, traceback, threading, gc\n"
        "class Null:\n"
        "    def __getattr__(self, name): raise ValueError(name)\n"
        "builtins.print = builtins.repr = builtins.str = builtins.isinstance = builtins.compile = None\n"
        "linecache.cache.clear(); sys.stdout = sys.stderr = Null(); threading.enumerate = None; traceback.extract_tb = None\n"
        "sys.modules.clear(); [1, 2]"
    )
    assert ended.over.ending == "finished"
    assert [value.text for value in ended.values] == ["[1, 2]"]


def test_a_program_of_the_protocol_runs_as_it_is(children: Children) -> None:
    assert children.run_program(Program(source=Source(text="1"))).values[0].text == "1"


def test_the_zygote_is_single_threaded_and_knows_no_web_framework(children: Children) -> None:
    ended = children.run("")
    assert ended.tasks == 1
    packages = {module.partition(".")[0] for module in ended.modules}
    assert not packages & {"fastapi", "starlette", "uvicorn", "jinja2", "pydantic", "pydantic_core", "sqlalchemy"}
