def visit(node):
    if node is None:
        return []
    names = [type(node).__name__]
    for following, _ in node.next_functions:
        names += visit(following)
    return names


def node_names(out):
    return visit(out.grad_fn)


def names_of(steps, x, y):  # used by the checks: leave it as it is
    out = x
    for step in steps:
        if step == "sin":
            out = out.sin()
        elif step == "triple":
            out = 3 * out
        elif step == "square":
            out = out * out
        else:
            out = out + y
    return sorted(node_names(out))
