def node_names(out):
    found = {out.grad_fn}
    layer = found
    while layer:
        layer = {n for node in layer for n, _ in node.next_functions}
        layer = layer - found - {None}
        found = found | layer
    return [node.name().split("::")[-1] for node in found]


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
