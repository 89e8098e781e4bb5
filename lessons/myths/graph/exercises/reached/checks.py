import torch
from gradroom import Subject, check, draw, mistake

CONNECTED = ["sin", "sin add-y", "sin times-x sin", "sin add-y times-x"]
STOPPED = [
    "sin stop",
    "add-y stop",
    "sin stop add-y",
    "sin stop times-x",
    "add-y stop sin times-x",
    "stop add-y times-x sin",
    "add-y stop sin add-y times-x",
    "sin add-y stop add-y sin",
]


def names(reaches):
    def listed(program, x, y):
        x, y = x.detach().requires_grad_(), y.detach().requires_grad_()
        out = x
        for step in program.split():
            if step == "sin":
                out = out.sin()
            elif step == "stop":
                out = out.detach()
            elif step == "times-x":
                out = out * x
            elif step == "old-grads":
                pass
            else:
                out = y + out
        return ", ".join(name for name, leaf in (("x", x), ("y", y)) if reaches(out, leaf)) or "none"

    return listed


def is_reached(out, leaf):
    return out.requires_grad and torch.autograd.grad(out.sum(), leaf, retain_graph=True, allow_unused=True)[0] is not None


def subjects(programs):
    like = names(is_reached)
    return [
        Subject("names_reached", lambda program=program: [program, draw.tensor((3,)), draw.tensor((3,))], like=like) for program in programs
    ]


without_stop, with_stop = subjects(CONNECTED), subjects(STOPPED)


def equal_leaves():
    x = draw.tensor((3,))
    return ["sin stop add-y", x, x.detach().clone().requires_grad_()]


with_equal_leaves = Subject("names_reached", equal_leaves, like=names(is_reached))
with_grads = subjects(["old-grads sin add-y", "old-grads add-y stop sin times-x"])


@check
def connected():
    for subject in without_stop:
        subject.values(times=1)


@check
def stopped():
    for subject in [*with_stop, with_equal_leaves]:
        subject.values(times=1)


@check
def grads():
    for subject in with_grads:
        subject.values(times=1)


def is_mistake(reaches):
    return all(subject.behaves_like(forward=names(reaches)) for subject in without_stop + with_stop)


@mistake
def by_flags():
    return is_mistake(lambda out, leaf: out.requires_grad and leaf.requires_grad) or is_mistake(lambda out, leaf: leaf.requires_grad)


@mistake
def first_edge():
    def reaches(out, leaf):
        node = out.grad_fn
        while node is not None:
            if getattr(node, "variable", None) is leaf:
                return True
            node = node.next_functions[0][0] if node.next_functions else None
        return False

    return is_mistake(reaches)


@mistake
def by_grad_fn():
    def reaches(out, leaf):
        waiting = [out.grad_fn]
        while waiting:
            node = waiting.pop()
            if node is None:
                return True
            waiting.extend(n for n, _ in node.next_functions)
        return False

    return is_mistake(reaches) or is_mistake(lambda out, leaf: False)
