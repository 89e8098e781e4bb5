import torch
from gradroom import Subject, check, draw, expect, mistake, out_of_memory, reported, value


def right(x, n, seed):
    torch.manual_seed(seed)
    with torch.no_grad():  # in place: where memory is limited, each new tensor is fetched from the kernel
        h, slope = spread(x), spread(torch.ones_like(x))
        for i in range(n):
            mask = torch.rand_like(h) < 0.5
            slope *= (h + i).cos_().mul_(0.1).mul_(mask).add_(1)
            h += (h + i).sin_().mul_(0.1).mul_(mask)
        value, slope = h.mean(0), slope.mean(0)
    return Sloped.apply(x, value, slope)


def right_after(x, n, seed):
    torch.manual_seed(seed + 1)
    return torch.rand(4, dtype=torch.double)


def is_of_cell():
    try:
        return value("noise_after.__code__.co_filename") == "<noise-after>"
    except AttributeError:
        return False


def drawn(low=96, high=100):
    return [draw.tensor((1024,)), draw.whole(low, high), draw.whole(0, 10**6)]


small = [Subject("deep_noise", lambda n=n: [draw.tensor((3,)), n, draw.whole(0, 10**6)], like=right) for n in (97, 100)]
noisy = Subject("deep_noise", drawn, like=right)
shallow = Subject("deep_noise", lambda: [draw.tensor((3,)), draw.whole(21, 30), draw.whole(0, 10**6)], like=right)
after_ = Subject("noise_after", lambda: [draw.tensor((3,), grad=False), draw.whole(21, 30), draw.whole(0, 10**6)], like=right_after)


@check
def values():
    for subject in small:
        subject.values(times=1)


@check
def gradients():
    for subject in small:
        subject.gradients()
    shallow.interleaved()  # two calls with seeds of their own


@check
def double():
    check_double(small[0])


@check
def edges():
    small[0].edges()


@check
def restored():
    expect(
        is_of_cell(),
        said={
            "en": "The name `noise_after` belongs to the lesson's cells, and your program gives it to something else. Choose another name.",
            "zh-Hans": "`noise_after` 是本课单元格已经用了的名字，你的程序却把它用在了别处。请换一个名字。",
        },
    )
    after_.values()


@check
def room():
    noisy.gradients()


@check(reported=True)
def kept():
    reported.saved(noisy)


@mistake
def keeps_everything():
    return out_of_memory()


@mistake
def other_masks():
    return shallow.holds("values") and not shallow.holds("gradients") and not shallow.holds("raises", RuntimeError)


@mistake
def not_put_back():
    return shallow.holds("gradients") and is_of_cell() and not after_.holds("values")
