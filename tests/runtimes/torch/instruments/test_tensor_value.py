"""Values of trailing expressions."""

from typing import Any

import pytest

from tests.runtimes.children import Children


def test_a_tensor_tells_its_facts(children: Children) -> None:
    (value,) = children.run("import torch\nx = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\nx * 2").values
    assert value.text == "tensor([[2., 4.],\n        [6., 8.]], grad_fn=<MulBackward0>)"
    assert (value.shape, value.dtype, value.requires_grad, value.grad_fn) == ([2, 2], "torch.float32", True, "MulBackward0")
    assert value.values == [[2.0, 4.0], [6.0, 8.0]]


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("torch.tensor(3)", 3.0),
        ("torch.tensor([])", []),
        ("torch.tensor([True, False])", [1.0, 0.0]),
        ("torch.tensor([float('nan'), float('inf'), -float('inf')])", ["nan", "inf", "-inf"]),
        ("torch.tensor([1 + 2j, complex(float('nan'), 0)])", [(1.0, 2.0), ("nan", 0.0)]),
        ("torch.tensor([1 + 2j]).conj()", [(1.0, -2.0)]),
        ("torch.ones(2, dtype=torch.bfloat16)", [1.0, 1.0]),
        ("torch.nn.Parameter(torch.ones(1))", [1.0]),
        ("torch.zeros(1024)", [0.0] * 1024),
        ("torch.zeros(1025)", None),
        ("torch.zeros(3, device='meta')", None),
        ("torch.eye(2).to_sparse()", None),
        ("torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)", None),
        ("torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])", None),
        ("torch.empty(0, 3, 10**6)", []),
        ("torch.ones(1).expand(10**9)", None),
    ],
)
def test_entries_travel_as_numbers_where_there_are_few(children: Children, expression: str, values: Any) -> None:
    ended = children.run(f"import torch, warnings\nwarnings.simplefilter('ignore')\n{expression}")
    (value,) = ended.values
    found: Any = value.values
    if found and isinstance(values, list) and isinstance(values[0], tuple):
        found = [tuple(entry) for entry in found]
    assert found == values
    assert value.dtype is not None


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("class A:\n    def __repr__(self): return 1 / 0\nA()", "<repr of A raised ZeroDivisionError: division by zero>"),
        ("class A:\n    def __repr__(self): return 5\nA()", "<repr of A raised TypeError: __repr__ returned non-string (type int)>"),
        ("class A:\n    def __repr__(self): raise SystemExit\nA()", "<repr of A raised SystemExit: >"),
        ("class S(str): pass\nclass A:\n    def __repr__(self): return S('s')\nA()", "s"),
        ("class A:\n    def __eq__(self, other): 1 / 0\n    __bool__ = __len__ = __eq__\n    def __repr__(self): return 'A'\nA()", "A"),
        ("import torch\nclass A:\n    __class__ = torch.Tensor\n    def __repr__(self): return 'A'\nA()", "A"),
        ("10**5000 and -1", "-1"),
        ("'é\\ud800'", "'é\\ud800'"),
        ("b'\\x00'", "b'\\x00'"),
        ("'a' * 10**6", "'" + "a" * 16_382 + "…"),
    ],
)
def test_any_repr_becomes_plain_bounded_text(children: Children, source: str, text: str) -> None:
    ended = children.run(source)
    assert [value.text for value in ended.values] == [text]
    assert ended.over.ending == "finished"


def test_an_integer_too_long_to_print_is_said_so(children: Children) -> None:
    (value,) = children.run("10**5000").values
    assert value.text.startswith("<repr of int raised ValueError: Exceeds the limit (4300 digits)")


def test_a_tensor_subclass_cannot_lie_about_its_facts(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "class Liar(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, function, types, args=(), kwargs=None): raise ValueError('lie')\n"
        "    def __repr__(self): return 'Liar'\n"
        "    shape = dtype = requires_grad = grad_fn = layout = property(lambda self: [self])\n"
        "torch.ones(2).as_subclass(Liar)"
    )
    (value,) = ended.values
    assert (value.text, value.shape, value.dtype, value.values) == ("Liar", [2], "torch.float32", [1.0, 1.0])
    assert (value.requires_grad, value.grad_fn) == (False, None)
