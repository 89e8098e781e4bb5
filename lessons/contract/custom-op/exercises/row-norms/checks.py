import torch
from gradroom import Subject, check, draw, expect, given, mistake

CHANGE = """
def squared_change(x):
    y = row_norms(x)
    return (y - y.detach()) ** 2  # the gradient that comes in is 0, its derivative is not
"""
ZERO_INCOMING = {
    "en": "Where the gradient that comes in is 0, the second derivative is wrong: that gradient can have a derivative that is not 0.",
    "zh-Hans": "传来的梯度恰好为 0 的地方，二阶导数不对：这个梯度本身的导数不一定是 0。",
}

FORMULA = {
    "en": "`backward` should compute with a formula; here autograd ran once more inside of it.",
    "zh-Hans": "`backward` 应当用公式计算；现在其中又运行了一次自动求导。",
}
GIVEN = """
import torch
from torch.testing._internal.optests import opcheck as check_operator

def promised(x):
    return torch.zeros(row_norms(x.to("meta")).shape)

def promised_dtype(x):
    return torch.zeros(1, dtype=row_norms(x.to("meta", torch.float32)).dtype)

def tested(x):
    if not hasattr(torch.ops.course, "row_norms"):
        raise RuntimeError("there is no operator course::row_norms")
    x = x.detach().requires_grad_()
    results = check_operator(torch.ops.course.row_norms.default, (x,), raise_exception=False)
    return torch.tensor([one == "SUCCESS" for one in results.values()])
"""


def rows(grad=True, number=None, columns=None):
    shape = (number or draw.whole(2, 4), columns or draw.whole(2, 3))
    return [draw.apart(draw.tensor(shape, grad=False), by=0.3).requires_grad_(grad)]


norms = Subject("row_norms", rows)
predicted = Subject("promised", lambda: rows(grad=False))
predicted_of_one = Subject("promised", lambda: rows(grad=False, number=1))
predicted_dtype = Subject("promised_dtype", lambda: rows(grad=False), like=lambda x: torch.zeros(1))
tests = Subject("tested", lambda: rows(grad=False))
given("promised", "promised_dtype", "tested", "squared_change", source=GIVEN + CHANGE)

change = Subject("squared_change", rows, like=lambda x: square_change(x.norm(dim=1)))


def square_change(y):
    return (y - y.detach()) ** 2


@check
def values():
    norms.values()


@check
def shape():
    predicted.values()
    predicted_of_one.values()
    expect(
        predicted_dtype.holds("values"),
        said={
            "en": "For `x` in single precision, `register_fake` states another dtype than that of `x`.",
            "zh-Hans": "`x` 是单精度时，`register_fake` 声明的 dtype 与 `x` 的不同。",
        },
    )


@check
def gradient():
    norms.gradcheck()
    norms.linear()
    norms.edges(kinks=["zeros", "tiny"])
    norms.interleaved()
    norms.dtypes()
    Subject("row_norms", lambda: rows(columns=1)).gradients()


@check
def second():
    norms.gradgradcheck()
    norms.edges(kinks=["zeros", "tiny"], second=True)
    expect(change.holds("second"), said=ZERO_INCOMING)


@check
def formula():
    expect(norms.runs(norms.drawn(), back=True) == 0, said=FORMULA)


@check
def opcheck():
    tests.values(times=1)


@mistake
def no_autograd():
    return norms.holds("raises", RuntimeError, "no autograd formula", order=1)


@mistake
def input_shape():
    return predicted.behaves_like(forward=lambda x: torch.zeros(x.shape))


@mistake
def not_divided():
    return norms.behaves_like(backward=lambda g, x: g.unsqueeze(1) * x)
