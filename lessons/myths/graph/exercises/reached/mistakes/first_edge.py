def reaches(out, leaf):
    node = out.grad_fn
    while node is not None:
        if getattr(node, "variable", None) is leaf:
            return True
        node = node.next_functions[0][0] if node.next_functions else None
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
