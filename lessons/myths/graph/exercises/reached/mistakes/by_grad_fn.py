def reaches(out, leaf):
    seen, waiting = set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is leaf.grad_fn:
            return True
        if node is None or node in seen:
            continue
        seen.add(node)
        waiting.extend(n for n, _ in node.next_functions)
    return False
