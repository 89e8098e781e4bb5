def reaches(out, leaf):
    seen, waiting = set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        if getattr(node, "variable", None) is leaf:
            return True
        seen.add(node)
        waiting.extend(n for n, _ in node.next_functions if n is not None)
    return False
