import torch
from gradroom import Subject, check, draw, expect, given, mistake

given("both")

both = Subject("both", lambda: [draw.tensor()])
alone = Subject("SigmoidInPlace", lambda: [draw.tensor()])
plain = Subject("SigmoidInPlace", lambda: [draw.tensor(grad=False)])
part = Subject("part", lambda: [draw.tensor()], like=lambda a: torch.cat([torch.sigmoid(a[:1]), a[1:]]))
given("part", source="def part(a):\n    h = a.clone()\n    SigmoidInPlace.apply(h[:1])\n    return h\n")


@check
def values():
    plain.values()
    both.values()


@check
def in_place():
    (x,) = alone.drawn()
    graph = alone.theirs.call([x], leaf=False, arguments=True)
    after = graph.after[0]
    expect(
        after is not None and torch.allclose(after, torch.sigmoid(x.detach())),
        said={
            "en": "After the call, the input itself does not hold the sigmoid. Overwrite it in place.",
            "zh-Hans": "调用之后，输入本身不是 sigmoid 的值。请原地改写输入。",
        },
    )
    grads = alone.incoming(graph)
    through_input = alone.theirs.pull(graph, [*[None] * (len(grads) - 1), grads[-1]]).outputs[0]
    expect(
        through_input is not None and not torch.allclose(through_input, grads[-1]),
        said={
            "en": "The input is changed, but its gradient is that of an input that was not: the graph does not know of the change. "
            "Declare it with `ctx.mark_dirty`.",
            "zh-Hans": "输入已经改写，梯度却与没有改写时一样，可见计算图里没有这次修改。请用 `ctx.mark_dirty` 声明。",
        },
    )
    part.values()  # the memory itself is overwritten, which other tensors share


@check
def gradient():
    both.gradients()
    both.gradcheck()


@check
def edges():
    both.edges()
    both.dtypes()


@check
def calls():
    both.interleaved()


def slope(y):
    return y * (1 - y)


@mistake
def not_marked():
    return both.behaves_like(
        forward=lambda a: (torch.sigmoid(a), torch.sigmoid(a)),
        backward=lambda gy, gh, a: gy * slope(torch.sigmoid(a)) + gh,
    )


@mistake
def copy_returned():
    return both.holds("raises", RuntimeError, "marked as dirty", order=0)


@mistake
def sigmoid_again():
    def backward(gy, gh, a):
        return None if gy is None or gh is None else (gy + gh) * slope(torch.sigmoid(torch.sigmoid(a)))

    return both.behaves_like(backward=backward)
