def node_names(out):
    names, seen, waiting = [], set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        names.append(type(node).__name__)
        if node is not None:
            waiting.extend(n for n, _ in node.next_functions)
    return names
