def node_names(out):
    names, seen, waiting = [], set(), [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        names.append(type(node).__name__)
        waiting.extend(n for n, _ in node.next_functions)
    return names


def names_of(steps, x, y):  # used by the checks: leave it as it is
    out = x
    for step in steps:
        if step == "sin":
            out = out.sin()
        elif step == "triple":
            out = 3 * out
        elif step == "square":
            out = out * out
        else:
            out = out + y
    return sorted(node_names(out))
