def reaches(out, leaf):
    node = out.grad_fn
    while node is not None:
        if getattr(node, "variable", None) is leaf:
            return True
        node = node.next_functions[0][0] if node.next_functions else None
    return False
