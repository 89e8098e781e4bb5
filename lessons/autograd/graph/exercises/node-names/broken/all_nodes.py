def node_names(out):
    names, seen, waiting = [], set(), [out.grad_fn]
    for _ in range(12):  # and no further
        waiting = [node for node in dict.fromkeys(waiting) if node is not None and node not in seen]
        seen.update(waiting)
        names += [type(node).__name__ for node in waiting]
        waiting = [n for node in waiting for n, _ in node.next_functions]
    return names
