import torch
from gradroom import Subject, check, draw, mistake, out_of_memory, reported


def right(x, n):
    with torch.no_grad():  # in place: where memory is limited, each new tensor is fetched from the kernel
        h, slope = spread(x), spread(torch.ones_like(x))
        for i in range(n):
            slope *= (h + i).cos_().mul_(0.1).add_(1)
            h += (h + i).sin_().mul_(0.1)
        value, slope = h.mean(0), slope.mean(0)
    return Sloped.apply(x, value, slope)


small = [Subject("deep", lambda n=n: [draw.tensor((3,)), n], like=right) for n in (97, 100)]
deep = Subject("deep", lambda: [draw.tensor((1024,)), draw.whole(96, 100)], like=right)


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
    small[0].edges(without=["all-large"])  # there single precision shows, which is what double asks


@check
def room():
    deep.gradients()


@check(reported=True)
def kept():
    reported.saved(deep)


@mistake
def keeps_everything():
    return out_of_memory()
