"""Instruments are switched on by default or by name, and are harmless when they fail."""

import pytest

from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.records.fault import FaultRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children, Ended

PROGRAM = "import statistics\nprint(statistics.mean([1, 2, 3]))\nstatistics.mean([1, 1])\n'last'"


def run(children: Children, text: str, *instruments: str, replay: str = "pass") -> Ended:
    return children.run_program(Program(source=Source(text=text), replay=[Source(text=replay)], instruments=list(instruments)))


def faults(ended: Ended) -> list[tuple[str, str, int | None]]:
    return [
        (record.instrument, record.reason, record.span and record.span.line) for record in ended.records if isinstance(record, FaultRecord)
    ]


def test_the_facts_agree_with_what_is_installed(children: Children) -> None:
    names = children.run(
        "from app.runtimes.recorder import Recorder\nfrom app.runtimes.torch.torch_runtime import make_instruments\n"
        "print(*[each.facts.name for each in make_instruments(Recorder())])"
    ).stdout
    assert {*names.split(), "figure"} == {facts.name for facts in INSTRUMENTS["torch"]}
    assert names.split()[-1] == "value"  # which shows whatever the others leave


def test_an_instrument_that_is_not_on_does_nothing(children: Children) -> None:
    ended = run(children, PROGRAM)
    assert (ended.stdout, [value.text for value in ended.values], faults(ended)) == ("2\n", ["'last'"], [])


def test_an_instrument_is_switched_on_by_its_name_besides_the_others(children: Children) -> None:
    assert [value.text for value in run(children, "'last'", "shouting").values] == ["LAST", "1"]
    assert [value.text for value in run(children, "42", "shouting").values] == ["42", "0"]


def test_what_was_on_for_one_program_is_off_for_the_next(children: Children) -> None:
    assert [value.text for value in children.run("'last'").values] == ["'last'"]


def test_the_end_is_shown_also_when_the_program_raised(children: Children) -> None:
    ended = run(children, "1 / 0", "shouting")
    assert ([value.text for value in ended.values], ended.error.type) == (["0"], "ZeroDivisionError")


def test_an_instrument_that_raises_in_every_hook_spoils_nothing_and_is_reported(children: Children) -> None:
    ended = run(children, PROGRAM, "failing", "shouting")
    assert (ended.over.ending, ended.stdout, ended.stderr) == ("finished", "2\n", "")
    assert [value.text for value in ended.values] == ["LAST", "1"]
    assert faults(ended) == [
        ("failing", "ValueError: replayed", None),
        ("failing", "ValueError: mean", 2),
        ("failing", "ValueError: mean", 3),
        ("failing", "ValueError: show", None),
        ("failing", "ValueError: finish", None),
    ]


def test_an_instrument_that_could_not_begin_is_off_for_the_program_and_reported_once(children: Children) -> None:
    ended = run(children, PROGRAM, "unprepared", "shouting")
    assert [value.text for value in ended.values] == ["LAST", "1"]
    assert faults(ended) == [("unprepared", "ValueError: begin", None)]


def test_a_fault_is_told_once_for_each_line_and_no_more_than_some_times(children: Children) -> None:
    loop = "import statistics\nfor _ in range(50): statistics.mean([1])\n"
    assert faults(run(children, loop, "failing")).count(("failing", "ValueError: mean", 2)) == 1
    many = "import statistics\n" + "statistics.mean([1])\n" * 50
    assert len(faults(run(children, many, "failing"))) == 20


def test_a_fault_in_a_replayed_cell_is_told_too(children: Children) -> None:
    assert ("failing", "ValueError: mean", 2) in faults(run(children, "pass", "failing", replay="import statistics\nstatistics.mean([1])"))


GRAPH = "import torch, torchviz\ny = torch.ones(2, requires_grad=True) * 2\n"
CHECK = (
    "import torch\n"
    "class Wrong(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x): return x * 2, x * 3\n"
    "    @staticmethod\n"
    "    def backward(ctx, g, h): return g * 3 + h * 3\n"
    "x = torch.ones(2, requires_grad=True, dtype=torch.double)\n"
    "print(torch.autograd.gradcheck(Wrong.apply, x, raise_exception=False))\n"
)
LIAR = """
import torch
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), keywords=None): raise ValueError("I lied")
    shape = property(lambda self: 1 / 0)
    dtype = property(lambda self: "<b>")
    requires_grad = property(lambda self: [])
    grad_fn = property(lambda self: self)
    def __repr__(self): return "Liar"
y = torch.ones(2, requires_grad=True).clone().as_subclass(Liar)
"""
ROOM = "app.runtimes.torch.instruments"


@pytest.mark.parametrize(
    ("module", "name", "program", "instrument", "stdout"),
    [
        ("graph_instrument", "GraphWalk", GRAPH + "print(type(torchviz.make_dot(y)).__name__)", "graph", "Digraph\n"),
        (
            "graph_walk",
            "GraphModel",
            GRAPH + "try: torchviz.make_dot([y])\nexcept TypeError as e: print(e)",
            "graph",
            "unhashable type: 'list'\n",
        ),
        ("graph_instrument", "foreign_graph", "import graphviz\nprint(1)\ngraphviz.Source('digraph { a }')", "graph", "1\n"),
        ("gradcheck_instrument", "ObservedCheck", CHECK, "gradcheck", "False\n"),
        ("gradcheck_instrument", "Comparison", CHECK, "gradcheck", "False\n"),
        ("gradcheck_instrument", "_fast_pairs", CHECK.replace("x, raise", "x, fast_mode=True, raise"), "gradcheck", "False\n"),
        ("observed_check", "GradcheckRecord", CHECK, "gradcheck", "False\n"),
        ("comparison", "clones", CHECK, "gradcheck", "False\n"),
        ("tensor_value", "tensor_values", "import torch\nprint(1)\ntorch.ones(1)", "value", "1\n"),
    ],
)
def test_a_fault_of_ours_anywhere_is_a_record_and_not_the_learners(
    children: Children, module: str, name: str, program: str, instrument: str, stdout: str
) -> None:
    """The program replaces a function that an instrument uses."""
    ended = children.run(f"import {ROOM}.{module} as ours\nours.{name} = None\n{program}")
    assert (ended.over.ending, ended.stdout, ended.stderr) == ("finished", stdout, "")
    assert {fault[0] for fault in faults(ended)} == {instrument}


def test_pairs_that_are_known_are_shown_when_completing_the_others_fails(children: Children) -> None:
    ended = children.run(f"import {ROOM}.comparison as ours\nours.clones = None\n{CHECK}")
    assert [(pair.output, pair.failing) for pair in ended.checks[0].pairs] == [(0, 2)]


@pytest.mark.parametrize(
    "program",
    [
        "class A:\n    def __repr__(self): 1 / 0\nA()",
        "import torch\nclass T(torch.Tensor):\n    def __repr__(self): raise SystemExit\ntorch.ones(1).as_subclass(T)",
        LIAR + "y",
        LIAR + "import torchviz\ntry: torchviz.make_dot(y)\nexcept BaseException: pass",
        LIAR + "try: torch.autograd.gradcheck(torch.sin, y)\nexcept BaseException: pass",
        "import graphviz\nd = graphviz.Digraph()\nd.body.append(5)\nd",
        "import graphviz\nclass S(graphviz.Source):\n    source = property(lambda self: 1 / 0)\nS('digraph { a }')",
        "import graphviz\ngraphviz.Source('digraph { a -> ')",
        *(
            f"{GRAPH}try: torchviz.make_dot({arguments})\nexcept Exception: pass"
            for arguments in (
                "",
                "None",
                "3",
                "'y'",
                "y, 3",
                "y, y",
                "[y]",
                "y, bogus=1",
                "y, var=y",
                "y, {}, 1, 2, 3, 4, 5, 6",
                "y, params={'y': 3}",
                "y, params={'y'}",
                "y, show_saved=y",
                "y, show_attrs=True, max_attr_chars=None",
                "(y, 3)",
                "([y],)",
            )
        ),
        *(
            f"{GRAPH}try: torch.autograd.gradcheck({arguments})\nexcept Exception: pass"
            for arguments in ("", "3", "3, 4", "torch.sin, None", "torch.sin, y, eps='x'", "torch.sin, y, bogus=1", "lambda x: 1 / 0, y")
        ),
        "import torch\nx = torch.ones(2, requires_grad=True).clone().unbind()[0]\nwith torch.no_grad(): x.mul_(2)\nx",
    ],
)
def test_what_the_learner_does_is_no_fault_of_ours(children: Children, program: str) -> None:
    assert faults(children.run(program)) == []
