def node_names(out):
    seen = []

    def visit(node, depth):
        if node is None or node in seen or depth > 100:
            return
        seen.append(node)
        for n, _ in node.next_functions:
            visit(n, depth + 1)

    visit(out.grad_fn, 0)
    return [type(node).__name__ for node in seen]
