def reaches(out, leaf):
    if not out.requires_grad:
        return False
    seen, waiting = set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(n for n, _ in node.next_functions)
    leaves = [node.variable for node in seen if hasattr(node, "variable")]
    leaf.grad = None
    out.sum().backward(retain_graph=True)
    found = leaf.grad is not None
    for one in leaves:
        one.grad = None
    return found
