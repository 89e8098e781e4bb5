"""The editor's reference of Python and PyTorch: names, signatures, summaries and pages."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bootstrap.places import REFERENCE, ROOT
from bootstrap.reference import docstring
from bootstrap.reference.signature import inspect_signature

RAW_BYTES = 400_000
WORDS = re.compile(r'"([\w ]+)"')


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("reference") / "reference.json"
    subprocess.run([sys.executable, "-m", "bootstrap.reference", str(file)], check=True, cwd=ROOT)
    return file.read_bytes()


@pytest.fixture(scope="module")
def modules(written: bytes) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = json.loads(written)["modules"]
    return found


def test_the_same_libraries_give_the_same_bytes(written: bytes) -> None:
    assert REFERENCE.read_bytes() == written  # set-up wrote it, in another process


def test_it_stays_small(written: bytes) -> None:
    assert len(written) < RAW_BYTES


def test_without_torch_python_is_listed(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p]; from bootstrap.reference.collection import collect; "
    )
    found = subprocess.run(
        [sys.executable, "-S", "-c", program + "print(*collect()['modules'])"], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert found.stdout.split() == ["builtins", "math"]


@pytest.mark.parametrize(
    "path",
    [
        "torch.sinh",
        "torch.relu",
        "torch.no_grad",
        "torch.float64",
        "torch.Tensor.backward",
        "torch.Tensor.requires_grad_",
        "torch.Tensor.grad_fn",
        "torch.nn.Linear",
        "torch.nn.Module.parameters",
        "torch.nn.functional.softplus",
        "torch.autograd.grad",
        "torch.autograd.Function.apply",
        "torch.autograd.Function.setup_context",
        "torch.autograd.function.once_differentiable",
        "torch.autograd.functional.hessian",
        "torch.func.vmap",
        "torch.linalg.solve",
        "torch.optim.SGD",
        "torch.testing.assert_close",
        "torchviz.make_dot",
        "builtins.print",
        "math.exp",
    ],
)
def test_a_name_is_there(modules: dict[str, dict[str, list[str]]], path: str) -> None:
    home, _, name = path.rpartition(".")
    assert name in modules[home]


def test_gradcheck_has_its_signature_and_its_page(modules: dict[str, dict[str, list[str]]]) -> None:
    kind, signature, summary, page = modules["torch.autograd"]["gradcheck"]
    assert kind == "function"
    assert signature.startswith("(func, inputs, *, eps=1e-06, atol=1e-05, rtol=0.001, raise_exception=True,")
    assert signature.endswith("-> bool")
    assert summary.startswith("Check gradients computed via small finite differences against analytical gradients")
    assert page == "generated/torch.autograd.gradcheck.gradcheck.html#torch.autograd.gradcheck.gradcheck"


def test_several_ways_to_call_are_listed(modules: dict[str, dict[str, list[str]]]) -> None:
    ways = modules["torch"]["sum"][1].split("\n")
    assert ways == ["(input, *, dtype=None) -> Tensor", "(input, dim, keepdim=False, *, dtype=None) -> Tensor"]


def test_a_context_has_what_forward_and_backward_use(modules: dict[str, dict[str, list[str]]]) -> None:
    assert set(modules["torch.autograd.function.FunctionCtx"]) == {
        "mark_dirty",
        "mark_non_differentiable",
        "needs_input_grad",
        "save_for_backward",
        "save_for_forward",
        "saved_tensors",
        "set_materialize_grads",
    }


def test_a_method_that_only_refers_to_a_function_has_that_functions_sentence(modules: dict[str, dict[str, list[str]]]) -> None:
    assert modules["torch.Tensor"]["sinh"][2] == modules["torch"]["sinh"][2]


def test_no_signature_tells_an_address_in_memory(written: bytes) -> None:
    assert b" at 0x" not in written


def test_every_entry_has_the_fields_that_the_page_expects(modules: dict[str, dict[str, list[str]]]) -> None:
    kinds = {"class", "constant", "function", "method", "namespace", "property"}
    entries = [entry for names in modules.values() for entry in names.values()]
    assert {entry[0] for entry in entries} <= kinds
    assert {len(entry) for entry in entries} == {1, 2, 3, 4}
    signatures = [line for entry in entries for line in (*entry[1:2], "")[0].split("\n") if line]
    assert [line for line in signatures if not line.startswith("(")] == []


def test_the_words_offered_without_the_reference_are_pythons_own() -> None:
    import builtins
    import keyword

    text = (ROOT / "static/js/lib/python/python-words.js").read_text()
    words = " ".join(WORDS.findall(text)).split()
    assert len(words) == len(set(words))
    assert set(keyword.kwlist) <= set(words) <= {*keyword.kwlist, *dir(builtins)}


@pytest.mark.parametrize(
    ("text", "signatures", "summary"),
    [
        ("f(x, *, out=None) -> Tensor\n\nDoes :func:`~torch.g` of ``x``. More.", ("(x, *, out=None) -> Tensor",), "Does torch.g of x."),
        ("f(x[, y]) -> value\n    which is long\n\nDoes.", ("(x, y)",), "Does."),
        ("f(x) -> Tensor\n\n.. function:: f(x, y) -> Tensor\n   :noindex:\n\nDoes.", ("(x) -> Tensor", "(x, y) -> Tensor"), "Does."),
        ("f(x,\n  y=(1, 2))\nTests :math:`x_1`, e.g. of :math:`\\frac{1}{2}`.", ("(x, y=(1, 2))",), "Tests x_1, e.g. of …."),
        ("self.f() is the same as g. See g.", (), "self.f() is the same as g."),
        ("Args:\n    x: what comes in", (), ""),
        ("f(x", (), "f(x."),
    ],
)
def test_a_docstring_is_read(text: str, signatures: tuple[str, ...], summary: str) -> None:
    assert docstring.find_signatures(text) == signatures
    assert docstring.summarize(text) == summary


def test_a_signature_is_shown_without_types() -> None:
    def function(x: Any, size: tuple[int, int] = (1, 2), *, key: object = object()) -> bool: ...  # type: ignore[empty-body]

    assert inspect_signature(function) == ("(x, size=(1, 2), *, key=…) -> bool",)
    assert inspect_signature(math.sin) == ("(x, /)",)
