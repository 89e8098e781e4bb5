import torch
from gradroom import Subject, check, draw, mistake, out_of_memory, reported


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


@mistake
def wrong_order():
    return few.holds("values") and not few.holds("gradients") and not few.holds("raises", RuntimeError)
