"""The formulas of PyTorch's backward nodes: by the names, and in the order of inputs, that nodes of the installed torch have."""

import gzip
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional

from bootstrap.derivative_formulas import collect, encode, shorten
from bootstrap.generated_file import generate
from tests.one_test import in_one_test

COMPRESSED_BYTES = 20_000
EXPECTED = {
    "ExpBackward0": {"self": "grad * result.conj()"},
    "SinBackward0": {"self": "grad * self.cos().conj()"},
    "MulBackward0": {
        "self": "mul_tensor_backward(grad, other, self.scalar_type())",
        "other": "mul_tensor_backward(grad, self, other.scalar_type())",
    },
}
OPERATIONS = """
x + y; x - y; x * y; x / y; x * 2; x / 2; 2 - x; x ** 2; x ** y; 2 ** x; -x; x.exp(); x.log(); x.sin(); x.cos(); x.tan(); x.asin()
x.atan(); x.sinh(); x.cosh(); x.tanh(); x.sigmoid(); x.sqrt(); x.rsqrt(); x.abs(); x.square(); x.reciprocal(); x.log1p(); x.expm1()
x.erf(); x.floor(); x.relu(); x.clamp(0); x.clamp(min=y); x.sum(); x.sum(0); x.mean(); x.mean(1); x.prod(); x.prod(0); x.max()
x.max(0).values; x.min(1).values; x.amax(0); x.var(); x.std(); x.norm(); x.logsumexp(0); x.cumsum(0); x.cumprod(0); x.softmax(0)
x.log_softmax(1); x.median(); x.sort().values; x @ y; x.mm(y); x.mv(v); v.dot(v); torch.addmm(x, y, x); torch.bmm(x[None], y[None])
torch.outer(v, v); torch.einsum('ij,jk', x, y); x.t(); x.T; x.transpose(0, 1); x[None].permute(1, 2, 0); x.reshape(9); x.view(9)
x.expand(2, 3, 3); x.unsqueeze(0); x[None].squeeze(0); x[None].squeeze(); x[0]; x[:2]; x[x > 0]; x.diagonal(); x.flip(0); x.roll(1)
x.repeat(2, 1); x.tril(); x.clone(); x.float(); x.contiguous().clone(); x.narrow(0, 0, 2); x.unfold(0, 2, 1); x.trace(); x.diag()
x.gather(0, at); x.index_select(0, at[0]); x.scatter(0, at, y); x.masked_fill(x > 0, 0); torch.where(x > 0, x, y); torch.maximum(x, y)
torch.minimum(x, y); torch.lerp(x, y, 0.5); torch.addcmul(x, y, x); torch.atan2(x, y); x.split(1)[0]; x.unbind()[0]; torch.linalg.inv(x)
torch.linalg.det(x); torch.linalg.solve(x, y); torch.linalg.cholesky(x @ x.T + 3 * torch.eye(3)); functional.linear(x, y, v)
functional.softplus(x); functional.gelu(x); functional.silu(x); functional.elu(x); functional.leaky_relu(x)
functional.layer_norm(x, [3], v, v); functional.mse_loss(x, y); functional.l1_loss(x, y); functional.huber_loss(x, y)
functional.logsigmoid(x); functional.nll_loss(x, at[0]); functional.binary_cross_entropy(x.sigmoid(), y.sigmoid().detach())
functional.conv2d(x[None, None], y[None, None]); functional.max_pool2d(x[None, None], 2); functional.avg_pool2d(x[None, None], 2)
functional.embedding(at, x); functional.dropout(x, 0.5); functional.batch_norm(x, None, None, v, v, training=True); functional.hardtanh(x)
functional.pad(x, (1, 1)); x.detach().add_(y); x.detach().mul_(y); torch.fft.fft(x); torch.polar(x, y); torch.complex(x, y).real
torch.complex(x, y).angle(); x.to_sparse()
"""
LISTS = {
    "torch.cat([x, y, x])": ("CatBackward0", 3),
    "torch.stack([x, y])": ("StackBackward0", 2),
    "torch.block_diag(x, y)": ("BlockDiagBackward0", 2),
}


@pytest.fixture(scope="module")
def formulas() -> dict[str, dict[str, str]]:
    return collect()


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """Return the names that the programs of the operations use."""
    draw = torch.Generator().manual_seed(0)
    x, y = ((torch.rand(3, 3, generator=draw, dtype=torch.float64) + torch.eye(3)).requires_grad_() for _ in range(2))
    v = torch.ones(3, dtype=torch.float64, requires_grad=True)
    return {"torch": torch, "functional": functional, "x": x, "y": y, "v": v, "at": torch.tensor([[0, 1, 2]])}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_node_has_the_formulas_of_the_file(formulas: dict[str, dict[str, str]], name: str) -> None:
    assert formulas[name] == EXPECTED[name]


@in_one_test("operation", [one.strip() for one in re.split("[;\n]", OPERATIONS.strip())])
def test_the_node_of_an_operation_has_a_formula_for_each_of_its_edges(
    formulas: dict[str, dict[str, str]], names: dict[str, Any], operation: str
) -> None:
    node = eval(operation, names).grad_fn
    assert len(formulas[type(node).__name__]) == len(node.next_functions)


@pytest.mark.parametrize("operation", LISTS)
def test_a_list_of_tensors_is_one_input(formulas: dict[str, dict[str, str]], names: dict[str, Any], operation: str) -> None:
    name, edges = LISTS[operation]
    node = eval(operation, names).grad_fn
    assert type(node).__name__ == name
    assert len(node.next_functions) == edges
    assert list(formulas[name]) == ["tensors"]


def test_inputs_have_the_order_of_the_edges(formulas: dict[str, dict[str, str]], names: dict[str, Any]) -> None:
    x, y, v = (torch.zeros(3, 3, requires_grad=True) for _ in range(3))
    node = torch.addmm(x, y, v).grad_fn
    assert node is not None
    assert all(edge.variable is tensor for (edge, _), tensor in zip(node.next_functions, (x, y, v), strict=True))
    assert list(formulas["AddmmBackward0"]) == ["self", "mat1", "mat2"]


def test_what_says_nothing_about_the_gradient_is_left_out() -> None:
    assert shorten("grad.defined() ? f(grad,\n  bias->sym_sizes()) : std::tuple<Tensor, Tensor>()") == "f(grad, bias->sizes())"
    assert shorten("at::sum_to(grad, self.sym_sizes())") == "sum_to(grad, self.sizes())"
    assert shorten("grad.expand_symint(self.sym_size(0))") == "grad.expand(self.size(0))"


def test_a_condition_on_what_the_gradient_is_of_stays() -> None:
    assert shorten("accumulate ? grad : at::zeros_like(grad)") == "accumulate ? grad : zeros_like(grad)"
    assert shorten("grad * self.conj()") == "grad * self.conj()"


def test_no_formula_is_empty_and_no_word_of_cpp_is_left_that_has_a_plain_one(formulas: dict[str, dict[str, str]]) -> None:
    texts = [text for inputs in formulas.values() for text in inputs.values()]
    assert all(texts) and all(formulas.values())
    assert [text for text in texts if re.search(r"\bat::|_symint\(|[.>]sym_size|^grad\.defined\(\)|\n", text)] == []


def test_it_stays_small_and_the_same(formulas: dict[str, dict[str, str]]) -> None:
    written = encode(formulas)
    assert len(gzip.compress(written.encode(), 9)) < COMPRESSED_BYTES
    assert written == encode(dict(reversed(formulas.items())))


def test_set_up_writes_the_formulas_into_a_file(formulas: dict[str, dict[str, str]], tmp_path: Path) -> None:
    generate(sys.executable, "bootstrap.derivative_formulas", tmp_path / "formulas.json")
    assert [file.name for file in tmp_path.iterdir()] == ["formulas.json"]
    assert (tmp_path / "formulas.json").read_text(encoding="utf-8") == encode(formulas)


def test_a_generator_that_fails_leaves_the_earlier_file(tmp_path: Path) -> None:
    (tmp_path / "formulas.json").write_text("earlier")
    with pytest.raises(subprocess.CalledProcessError):
        generate(sys.executable, "json.tool", tmp_path / "formulas.json")
    assert (tmp_path / "formulas.json").read_text() == "earlier"
