import torch
from gradroom import Subject, check, draw, mistake, out_of_memory, reported


def f(h, i):
    return 0.1 * torch.sin(h + i)


def g(h, i):
    return 0.1 * torch.cos(h - i)


def right(x, n):
    with torch.no_grad():  # in place: where memory is limited, each new tensor is fetched from the kernel
        h1, s1 = spread(x), spread(torch.ones_like(x))
        h2, s2 = 0.5 * h1, 0.5 * s1
        for i in range(n):
            s1 += (h2 + i).cos_().mul_(0.1).mul_(s2)
            h1 += (h2 + i).sin_().mul_(0.1)
            s2 -= (h1 - i).sin_().mul_(0.1).mul_(s1)
            h2 += (h1 - i).cos_().mul_(0.1)
        value, slope = (h1 + h2).mean(0), (s1 + s2).mean(0)
    return Sloped.apply(x, value, slope)


couple = Subject("couple", lambda: [draw.tensor((1024,)), draw.whole(64, 68)], like=right)
small = [Subject("couple", lambda n=n: [draw.tensor((3,)), n], like=right) for n in (64, 67)]
few = Subject("couple", lambda: [draw.tensor((3,)), draw.whole(4, 6)], like=right)


@check
def values():
    for subject in small:
        subject.values(times=1)


@check
def gradients():
    for subject in small:
        subject.gradients()


@check
def double():
    check_double(small[0])


@check
def edges():
    small[0].edges()


@check
def calls():
    small[0].interleaved()


@check
def room():
    couple.gradients()


@check(reported=True)
def kept():
    reported.saved(couple)


@mistake
def keeps_everything():
    return out_of_memory()


@mistake
def no_grad_mode():
    return few.holds("values") and few.holds("raises", RuntimeError, "does not require grad")


def through_f(h2, g1, i):
    return 0.1 * (h2 + i).cos() * g1


def through_g(h1, g2, i):
    return -0.1 * (h1 - i).sin() * g2


def f_first(h1, h2, g1, g2, i):
    """As `block` goes, states and gradients."""
    h1, g2 = h1 - f(h2, i), g2 + through_f(h2, g1, i)
    return h1, h2 - g(h1, i), g1 + through_g(h1, g2, i), g2


def f_first_in_gradients(h1, h2, g1, g2, i):
    before = h2 - g(h1, i)
    g2 = g2 + through_f(before, g1, i)
    return h1 - f(before, i), before, g1 + through_g(h1, g2, i), g2


def walks_by(step):
    def backward(grad, x, n):
        h1 = spread(x)
        h2 = 0.5 * h1
        for i in range(n):
            h1 = h1 + f(h2, i)
            h2 = h2 + g(h1, i)
        g1 = g2 = (grad / len(h1)).expand_as(h1)
        for i in reversed(range(n)):
            h1, h2, g1, g2 = step(h1, h2, g1, g2, i)
        return (spread(torch.ones_like(x)) * (g1 + 0.5 * g2)).sum(0)

    return few.behaves_like(forward=right, backward=backward)


@mistake
def wrong_order():
    return walks_by(f_first) or walks_by(f_first_in_gradients)
