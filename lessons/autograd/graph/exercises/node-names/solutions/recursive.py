def visit(node, seen):
    if node is not None and node not in seen:
        seen.append(node)
        for following, _ in node.next_functions:
            visit(following, seen)
    return seen


def node_names(out):
    return [type(node).__name__ for node in visit(out.grad_fn, [])]


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
