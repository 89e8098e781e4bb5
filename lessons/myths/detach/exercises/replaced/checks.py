import torch
from gradroom import Subject, check, draw, mistake


def drawn():
    mask = torch.tensor(draw.choice([[True, False, True, False], [False, True, True, False], [False, False, True, False]]))
    return [draw.tensor((4,)), mask, draw.tensor((), low=3.0, high=5.0)]


subject = Subject("replaced", drawn)
table = Subject("replaced", lambda: [draw.tensor((2, 3)), torch.tensor([[True, False, True], [False, True, True]]), draw.tensor(())])
nowhere = Subject("replaced", lambda: [draw.tensor((2, 3)), torch.zeros(2, 3, dtype=torch.bool), draw.tensor(())])
everywhere = Subject("replaced", lambda: [draw.tensor((3,)), torch.ones(3, dtype=torch.bool), draw.tensor(())])



def huge():
    """What takes such entries away and adds them again loses `value`."""
    entries = 1e20 * draw.tensor((3,), low=1.0, grad=False)
    return [entries.requires_grad_(), torch.ones(3, dtype=torch.bool), draw.tensor(())]


in_huge = Subject("replaced", huge)


@check
def values():
    subject.values()
    in_huge.values(times=1)


@check
def unchanged():
    subject.untouched()


@check
def gradients():
    subject.gradients()
    for other in (nowhere, everywhere):
        other.gradients()
    for other in (subject, table):
        other.edges()


@mistake
def into_the_input():
    return subject.holds("raises", "RuntimeError", "leaf Variable", order=0)


@mistake
def detached_copy():
    def no_path(g, x, mask, value):
        return [torch.zeros_like(x), None, g[mask].sum()]

    return subject.holds("untouched") and subject.behaves_like(backward=no_path)


@mistake
def plain_number():
    def number(g, x, mask, value):
        return [g.masked_fill(mask, 0), None, torch.zeros_like(value)]

    return subject.behaves_like(backward=number)
