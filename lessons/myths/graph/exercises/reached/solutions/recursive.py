def found_behind(node, leaf):
    if node is None:
        return False
    if type(node).__name__ == "AccumulateGrad":
        return node.variable is leaf
    return any(found_behind(n, leaf) for n, _ in node.next_functions)


def reaches(out, leaf):
    return found_behind(out.grad_fn, leaf)
