def node_names(out):
    names, waiting = set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None:
            names.add(type(node).__name__)
            waiting.extend(n for n, _ in node.next_functions)
    return names
