def found_behind(node, leaf):
    if node is None:
        return False
    if type(node).__name__ == "AccumulateGrad":
        return node.variable is leaf
    return any(found_behind(n, leaf) for n, _ in node.next_functions)


def reaches(out, leaf):
    return found_behind(out.grad_fn, leaf)


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
