def visit(node):
    if node is None:
        return []
    names = [type(node).__name__]
    for following, _ in node.next_functions:
        names += visit(following)
    return names


def node_names(out):
    return visit(out.grad_fn)
