from itertools import permutations

from gradroom import Subject, check, draw, mistake


def compute(steps, x, y):
    out = x.requires_grad_()
    for step in steps:
        if step == "sin":
            out = out.sin()
        elif step == "triple":
            out = 3 * out
        elif step == "square":
            out = out * out
        else:
            out = out + y.requires_grad_()
    return out


def visit(node):
    """Every path, so that a node that two edges lead to is there twice."""
    if node is None:
        return []
    return [node, *(found for n, _ in node.next_functions for found in visit(n))]


def listed(nodes):
    return sorted(type(node).__name__ for node in nodes)


def all_names(*args):
    return listed(set(visit(compute(*args).grad_fn)))


def first_edges(node):
    while node is not None:
        yield node
        node = node.next_functions[0][0] if node.next_functions else None


def straight():
    return [["sin", draw.choice(["sin", "triple"]), "sin"], draw.tensor((3,)), draw.tensor((3,))]


def branching():
    steps = draw.choice(list(permutations(["sin", "sin", "triple", "square", "plus y"])))
    return [list(steps), draw.tensor((3,)), draw.tensor((3,))]


in_line = Subject("names_of", straight, like=all_names)
branched = Subject("names_of", branching, like=all_names)


@check
def line():
    in_line.values()


@check
def branches():
    branched.values(times=6)


@mistake
def twice():
    return branched.behaves_like(forward=lambda *args: listed(visit(compute(*args).grad_fn)))


@mistake
def first_edge():
    return branched.behaves_like(forward=lambda *args: listed(first_edges(compute(*args).grad_fn)))


@mistake
def by_name():
    return branched.behaves_like(forward=lambda *args: sorted(set(listed(visit(compute(*args).grad_fn)))))
