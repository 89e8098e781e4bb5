def node_names(out):
    names = []
    node = out.grad_fn
    while node is not None:
        names.append(type(node).__name__)
        node = node.next_functions[0][0] if node.next_functions else None
    return names


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
