"""Runs that end by an exception: the ending, the message, the learner's own frames and their positions."""

import pytest

from tests.runtimes.children import Children


@pytest.mark.parametrize(
    ("source", "kind", "line", "column"),
    [
        ("1/0", "ZeroDivisionError", 1, 0),
        ("x = 1\ny = x + 1/0", "ZeroDivisionError", 2, 8),
        ("变量 = '你好🎉'; 变量.nothing", "AttributeError", 1, 12),
        ("s = '🎉🎉' + 1/0 * 'é'", "ZeroDivisionError", 1, 11),
        ("f(\n  a,\n)", "NameError", 1, 0),
        ("def f():\n    return [1,\n        nothing]\nf()", "NameError", 3, 8),
        ("raise KeyError('好')", "KeyError", 1, 0),
        ("exec('1/0')", "ZeroDivisionError", 1, 0),
        ("exec('1 +')", "SyntaxError", 1, 0),
    ],
)
def test_an_error_is_placed_in_code_points(children: Children, source: str, kind: str, line: int, column: int) -> None:
    error = children.run(source).error
    assert (error.type, error.line, error.column) == (kind, line, column)


@pytest.mark.parametrize(
    ("source", "kind", "line", "column"),
    [
        ("x = (1,\ny", "SyntaxError", 1, 4),
        ("x = 1\nif x\n  pass", "SyntaxError", 2, 4),
        ("变量 = '你好🎉' '🎉' 3", "SyntaxError", 1, 15),
        ("变量🎉 = 1", "SyntaxError", 1, 2),
        ("'你好🎉' = 1", "SyntaxError", 1, 0),
        ("if True:\nx = 1", "IndentationError", 2, 0),
        ("x = 1\n  y = 2", "IndentationError", 2, 1),
        ("def f():\n", "IndentationError", 1, 8),
        ("x = 'unfinished", "SyntaxError", 1, 4),
        ('"""never\nclosed', "SyntaxError", 1, 0),
        ("return 1", "SyntaxError", 1, 0),
        ("x = 5\nfor x in y:\n\tprint(x)\n        print(x)", "TabError", 4, 0),
        ("break", "SyntaxError", 1, 0),
        ("变量 = '🎉' + 0777", "SyntaxError", 1, 11),
        ("def f(变, 变): pass", "SyntaxError", 1, 9),
        ("变 = '🎉'; nonlocal x", "SyntaxError", 1, 9),
        ("x =\r\ny = 2", "SyntaxError", 1, 3),
    ],
)
def test_a_syntax_error_is_placed_in_code_points(children: Children, source: str, kind: str, line: int, column: int) -> None:
    ended = children.run(source, cell="a-cell")
    error = ended.error
    assert (ended.over.ending, error.type, error.cell) == ("raised", kind, "a-cell")
    assert (error.line, error.column) == (line, column)
    assert [frame.source for frame in error.traceback] == [source.splitlines()[line - 1].strip()]


@pytest.mark.parametrize("source", ["x = '\0'", "x = '\ud800'", "(" * 1000, "+".join(["1"] * 60_000), "-" * 30_000 + "1"])
def test_text_that_cannot_be_compiled_is_an_error_like_any_other(children: Children, source: str) -> None:
    if "\ud800" in source:
        source = "exec(compile('x = \\'\\ud800\\'', 'x', 'exec'))"
    ended = children.run(source)
    assert ended.over.ending in ("raised", "out_of_memory")
    assert ended.error.type in ("SyntaxError", "ValueError", "RecursionError", "MemoryError", "UnicodeEncodeError")


def test_only_the_learners_frames_are_reported(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x.clone()\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        return g @ g.nothing\n"
        "def train(x):\n"
        "    F.apply(x).sum().backward()\n"
        "train(torch.ones(2, requires_grad=True))\n"
    )
    assert [(frame.function, frame.line, frame.column, frame.source) for frame in ended.error.traceback] == [
        ("<module>", 10, 0, "train(torch.ones(2, requires_grad=True))"),
        ("train", 9, 4, "F.apply(x).sum().backward()"),
        ("backward", 7, 19, "return g @ g.nothing"),
    ]


def test_a_deep_recursion_keeps_both_ends_of_its_traceback(children: Children) -> None:
    error = children.run("def down(n):\n    return down(n + 1)\ndown(0)").error
    assert error.type == "RecursionError"
    assert len(error.traceback) == 50
    assert error.traceback[0].function == "<module>"


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        ("raise MemoryError", "out_of_memory"),
        ("x = ' ' * 10**18", "out_of_memory"),
        ("import torch\ntorch.empty(10**15)", "out_of_memory"),
        ("import numpy\nnumpy.empty(10**15)", "out_of_memory"),
        ('import torch\nraise RuntimeError("DefaultCPUAllocator: can\'t allocate memory")', "out_of_memory"),
        ("raise PermissionError(1, 'no')", "forbidden"),
        ("import os\nos.fork = lambda: (_ for _ in ()).throw(BlockingIOError(11, 'no'))\nos.fork()", "forbidden"),
        ("import urllib.error\ntry:\n    raise PermissionError\nexcept OSError as e:\n    raise urllib.error.URLError(e)", "forbidden"),
        ("try:\n    raise PermissionError\nexcept OSError:\n    raise ValueError", "raised"),
        ("try:\n    raise PermissionError\nexcept OSError:\n    pass", "finished"),
        ("open('nothing')", "raised"),
        ("import os\nos.system('ls')", "forbidden"),
        ("import torch\n@torch.compile\ndef f(x): return x", "forbidden"),
        ("import torch\ntorch.nn.Linear(1, 1).compile()", "forbidden"),
        ("import torch\ntorch.compile(lambda x: x, backend='eager')", "finished"),
        ("from torch.utils.cpp_extension import load_inline\nload_inline('x', ['int f();'])", "forbidden"),
        ("exec('def f(): raise FileNotFoundError', g := {'__name__': 'multiprocessing.synchronize'})\ng['f']()", "forbidden"),
        ("import sys\nsys.exit()", "finished"),
        ("import sys\nsys.exit(0)", "finished"),
        ("exit()", "finished"),
        ("raise SystemExit(False)", "finished"),
        ("import sys\nsys.exit(3)", "raised"),
        ("import sys\nsys.exit('text')", "raised"),
        ("raise KeyboardInterrupt", "raised"),
        ("raise GeneratorExit", "raised"),
        ("raise BaseExceptionGroup('several', [ValueError(1), KeyboardInterrupt()])", "raised"),
    ],
)
def test_endings(children: Children, source: str, ending: str) -> None:
    over = children.run(source).over
    assert over.ending == ending
    assert (over.error is None) is (ending == "finished")


def test_an_exit_status_is_the_message(children: Children) -> None:
    error = children.run("import sys\nsys.exit(3)").error
    assert (error.type, error.message) == ("SystemExit", "3")


def test_notes_follow_the_message_and_causes_do_not(children: Children) -> None:
    error = children.run("e = ValueError('bad')\ne.add_note('look here')\nraise e from KeyError(1)").error
    assert error.message == "bad\nlook here"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def __str__(self): raise SystemExit(0)", "<str of Liar raised SystemExit>"),
        ("def __str__(self): return 5", "<str of Liar raised TypeError>"),
        ("def __str__(self): return 'a' * 10**7", "a" * 8191 + "…"),
        ("def __str__(self): return '\\ud800'", "\\ud800"),
        ("def __str__(self): return self.__str__()", "<str of Liar raised RecursionError>"),
        ("__class__ = property(lambda self: SystemExit)\n    def __str__(self): return 'm'", "m"),
        ("__traceback__ = 5\n    def __str__(self): return 'm'", "m"),
        ("__notes__ = property(lambda self: 1 / 0)\n    def __str__(self): return 'm'", "m"),
        ("def __getattribute__(self, name): 1 / 0\n    def __str__(self): return 'm'", "m"),
    ],
)
def test_an_exception_that_lies_is_reported_all_the_same(children: Children, body: str, message: str) -> None:
    ended = children.run(f"class Liar(Exception):\n    {body}\nraise Liar")
    assert (ended.over.ending, ended.error.type, ended.error.message) == ("raised", "Liar", message)


def test_a_metaclass_cannot_change_the_type_name(children: Children) -> None:
    ended = children.run(
        "class Meta(type):\n    __name__ = property(lambda self: 5)\n    def __instancecheck__(self, other): 1 / 0\n"
        "class Odd(Exception, metaclass=Meta): pass\nraise Odd('m')"
    )
    assert (ended.error.type, ended.error.message) == ("Odd", "m")


def test_a_syntax_error_made_by_hand_is_placed_only_where_it_can_be(children: Children) -> None:
    error = children.run("raise SyntaxError('m', ('<source>', 'x', [], None))").error
    assert (error.type, error.message, error.line) == ("SyntaxError", "m", None)
