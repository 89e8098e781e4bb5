import torch
from gradroom import Subject, check, draw, expect, given, mistake

given("volume", "waves", "slopes_of_volume", "slopes_of_waves")


def vector_and_step(entries):
    return [draw.tensor((entries,), low=0.5, high=2.0, grad=False), draw.number(0.05, 0.3)]


volume_slopes = Subject("slopes_of_volume", lambda: vector_and_step(3))
waves_slopes = Subject("slopes_of_waves", lambda: vector_and_step(draw.whole(2, 5)))
small_steps = Subject("slopes_of_waves", lambda: [draw.tensor((3,), low=0.5, high=2.0, grad=False), 1e-4])  # in double precision, too
long = Subject("slopes_of_waves", lambda: vector_and_step(40))
of_lengths = [Subject("slopes_of_waves", lambda length=length: vector_and_step(length)) for length in (1, 18)]
few_slopes = Subject("slopes_of_waves", lambda: vector_and_step(draw.whole(2, 3)))


def volume_of(x):
    return x[0] * x[1] ** 2 * torch.exp(x[2])


def volume_by(of_two_points):
    """The slopes of volume, from the values at two points that differ in one entry, at x itself, and eps."""

    def slopes(x, eps):
        steps = eps * torch.eye(len(x), dtype=x.dtype)
        return torch.stack([of_two_points(volume_of(x + step), volume_of(x - step), volume_of(x), eps) for step in steps])

    return slopes


def behaves_like_one(ways):
    return any(volume_slopes.behaves_like(forward=way) for way in ways)


def together(x, eps):
    return (volume_of(x + eps) - volume_of(x - eps)) / (2 * eps)


def earlier_too(of_earlier):
    """Entries of earlier rounds are moved as well: at both points by `of_earlier`, or with the entry itself if it is None."""

    def slopes(x, eps):
        steps = eps * torch.eye(len(x), dtype=x.dtype)
        found = []
        for i, step in enumerate(steps):
            earlier = steps[:i].sum(0)
            up, down = (earlier, -earlier) if of_earlier is None else (of_earlier * earlier, of_earlier * earlier)
            found.append((volume_of(x + step + up) - volume_of(x - step + down)) / (2 * eps))
        return torch.stack(found)

    return slopes


def refuse_known(x, got):
    """What needs words of its own: zeros, and derivatives that are no differences."""
    if not isinstance(got, torch.Tensor) or got.shape != x.shape:
        return
    expect(
        bool(got.any()),
        said={
            "en": "All slopes are 0. If `f` was called at two points, were they the same? `up = x` copies nothing: whoever changes `up` "
            "changes `x`, too. `x.clone()` is a copy, and `x + step` is a new vector.",
            "zh-Hans": "所有斜率都是 0。如果在两个点上调用了 `f`，它们是不是同一个点？`up = x` 并不复制，修改 `up` 就是修改 `x`。"
            "`x.clone()` 才是副本，`x + step` 也是新的向量。",
        },
    )
    (derivative,) = torch.autograd.grad(volume_of(moved := x.clone().requires_grad_()), moved)
    expect(
        not torch.allclose(got.double(), derivative, rtol=1e-5),
        said={
            "en": "To many digits, these are the derivatives themselves. The central difference with a step as large as `eps` is another "
            "number: call `f` at two points for each entry, `eps` above and `eps` below, without autograd.",
            "zh-Hans": "这几乎就是导数本身。`eps` 这么大，中心差分与导数并不相等：请对每个元素在增加 `eps` 和减少 `eps` 的两个点上调用 `f`，不要用自动求导。",
        },
    )


@check
def volume():
    x, eps = volume_slopes.drawn()
    outputs = volume_slopes.theirs.call([x, eps]).outputs
    refuse_known(x, outputs[0] if len(outputs) == 1 else outputs)
    volume_slopes.values()


@check
def waves():
    waves_slopes.values()
    small_steps.values()


@check
def lengths():
    few_slopes.edges(without=["large", "low", "one-row", "many-rows"])
    for subject in of_lengths:
        subject.values(times=1)
    volume_slopes.dtypes()


@check
def unchanged():
    waves_slopes.untouched()
    long.untouched()  # of so many entries one is rounded when eps is added and taken away again


@mistake
def one_sided():
    forward = [lambda up, down, here, eps, by=by: (up - here) / (by * eps) for by in (1, 2)]
    backward = [lambda up, down, here, eps, by=by: (here - down) / (by * eps) for by in (1, 2)]
    return behaves_like_one(map(volume_by, forward + backward))


@mistake
def divisor():
    by = [lambda eps: eps, lambda eps: 2 / eps, lambda eps: 1, lambda eps: 2, lambda eps: eps / 2]
    return behaves_like_one(volume_by(lambda up, down, here, eps, by=one: (up - down) / by(eps)) for one in by)


@mistake
def others_moved():
    ways = [together, lambda x, eps: together(x, eps).expand_as(x)]
    return behaves_like_one([*ways, *(earlier_too(one) for one in (None, 1, -1))])
