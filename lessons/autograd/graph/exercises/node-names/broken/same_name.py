def node_names(out):
    names, seen, waiting = [], set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        known = type(node).__name__ == "SinBackward0" and "SinBackward0" in names
        if node is None or node in seen:
            continue
        seen.add(node)
        names += [] if known else [type(node).__name__]
        waiting.extend(n for n, _ in node.next_functions)
    return names
