import torch
from gradroom import Subject, check, draw, expect, given, mistake

given("squared")

both = Subject("SquareAndRoot", lambda: [draw.tensor(low=0.3, high=3.0)])


def ending_with(*ends):
    some = draw.tensor((3,), low=0.3, high=3.0, grad=False)
    return [torch.cat([some, torch.tensor(ends, dtype=torch.float64)]).requires_grad_()]


at = Subject("squared", lambda: ending_with(0.0))
negative = Subject("squared", lambda: ending_with(-3.0))  # where the root is nan
at_ends = Subject("SquareAndRoot", lambda: ending_with(0.0, torch.inf))


@check
def values():
    both.values()


@check
def gradient():
    both.gradients()
    both.gradcheck()


@check
def square_alone():
    at.gradients()


@check
def root_alone():
    x, _, h, got = walk(at_ends, weights=(None, 1))
    right = h / (2 * x.sqrt())
    found, wanted = apart(got, right)
    expect(
        got is not None and torch.allclose(got, right),
        said={
            "en": f"Where only the root is used, the gradient at {plain(x)} is {found}; it should be {wanted}.",
            "zh-Hans": f"只用平方根时，在 {plain(x)} 处的梯度是 {found}，应为 {wanted}。",
        },
    )


@check
def counts_as_used():
    if at.holds("gradients"):  # else square_alone has reported the same
        negative.gradients()
    x, _, _, got = walk(at_ends, weights=(1, 0))
    expect(
        got is not None and bool(got[x == 0].isnan().all()),
        said={
            "en": "Both outputs are used, and what arrives for the root is 0. At 0, its term is 0 times infinity, which is nan, but the "
            "gradient has no nan there: the term was left out, or changed. Whether an output was used is told by `None` alone; and the term of one that was used is computed as it is, nan included.",
            "zh-Hans": "两个输出都用到了，平方根的上游梯度恰好是 0。在 0 处，与它对应的那一项是 0 乘以无穷大，等于 nan，"
            "梯度里却没有 nan，可见这一项没有计算，或者被改动了。输出是否用到，只看传来的是不是 `None`；用到了，就照原样计算这一项，得到 nan 也不要改。",
        },
    )
    x, _, _, got = walk(at_ends, weights=(0, 1))
    expect(
        got is not None and bool(got[x == torch.inf].isnan().all()),
        said={
            "en": "Both outputs are used, and what arrives for the square is 0. At infinity, its term is 0 times infinity, which is nan, but "
            "the gradient has no nan there: the term was left out, or changed. Whether an output was used is told by `None` alone; and the term of one that was used is computed as it is, nan included.",
            "zh-Hans": "两个输出都用到了，平方的上游梯度恰好是 0。在无穷大处，与它对应的那一项是 0 乘以无穷大，等于 nan，"
            "梯度里却没有 nan，可见这一项没有计算，或者被改动了。输出是否用到，只看传来的是不是 `None`；用到了，就照原样计算这一项，得到 nan 也不要改。",
        },
    )


@check
def edges():
    both.edges()
    both.dtypes()


@check
def calls():
    both.interleaved()
    both.untouched()


def plain(tensor, digits=4):
    """A tensor's entries, or None, as text."""
    return "None" if tensor is None else "[" + ", ".join(f"{entry:.{digits}g}" for entry in tensor.reshape(-1).tolist()) + "]"


def apart(one, other):
    """Two tensors as texts, with as many digits as it takes to see that they differ."""
    texts = [(plain(one, digits), plain(other, digits)) for digits in (4, 8, 17)]
    return next((pair for pair in texts if pair[0] != pair[1]), texts[0])


def walk(subject, weights):
    """x, what comes in for the square and for the root, and the gradient. A weight None: this output is not used."""
    (x,) = subject.drawn()
    graph = subject.theirs.call([x])
    if not all(graph.differentiable):
        raise ValueError("an output has no gradient")
    grads = [None if weight is None else weight * grad for weight, grad in zip(weights, subject.incoming(graph))]
    return x.detach(), *grads, subject.theirs.pull(graph, grads).outputs[0]


def near(got, expected):
    return got is not None and got.shape == expected.shape and torch.allclose(got, expected, rtol=1e-6)


def computes_with_none(weights):
    try:
        walk(both, weights)
    except TypeError as error:
        text = str(error)
        return "NoneType" in text and ("unsupported operand" in text or "must be Tensor" in text)
    return False


@mistake
def not_tested():
    return computes_with_none((1, None)) or computes_with_none((None, 1))


@mistake
def one_term():
    x, g, h, got = walk(both, (1, 1))
    return near(got, g * 2 * x) or near(got, h / (2 * x.sqrt()))


@mistake
def still_zeros():
    x, g, _, of_square = walk(at_ends, (1, None))
    if of_square is not None and of_square[-2].isnan() and near(of_square[:-2], (g * 2 * x)[:-2]):
        return True
    x, _, h, of_root = walk(at_ends, (None, 1))
    return of_root is not None and of_root[-1].isnan() and near(of_root[:-1], (h / (2 * x.sqrt()))[:-1])
