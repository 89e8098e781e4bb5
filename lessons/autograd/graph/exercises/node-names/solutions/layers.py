def node_names(out):
    found = {out.grad_fn}
    layer = found
    while layer:
        layer = {n for node in layer for n, _ in node.next_functions}
        layer = layer - found - {None}
        found = found | layer
    return [node.name().split("::")[-1] for node in found]
