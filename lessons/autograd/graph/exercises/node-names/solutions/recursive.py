def visit(node, seen):
    if node is not None and node not in seen:
        seen.append(node)
        for following, _ in node.next_functions:
            visit(following, seen)
    return seen


def node_names(out):
    return [type(node).__name__ for node in visit(out.grad_fn, [])]
