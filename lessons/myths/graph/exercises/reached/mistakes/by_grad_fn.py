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


def names_reached(program, x, y):  # for the checks: leave it as it is
    out = x
    for step in program.split():
        if step == "sin":
            out = out.sin()
        elif step == "stop":
            out = out.detach()
        elif step == "times-x":
            out = out * x
        else:
            out = y + out
    leaves = {"x": x, "y": y}
    names = [name for name in leaves if reaches(out, leaves[name])]
    changed = [n for n in leaves if leaves[n].grad is not None]
    return names + [f"{n}.grad" for n in changed]
