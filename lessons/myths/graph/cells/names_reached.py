def names_reached(program, x, y):
    out = x
    for step in program.split():
        if step == "sin":
            out = out.sin()
        elif step == "stop":
            out = out.detach()
        elif step == "old-grads":
            x.grad, y.grad = x.detach() + 1, y.detach() + 1
        elif step == "times-x":
            out = out * x
        else:
            out = y + out
    leaves = {"x": x, "y": y}
    before = {n: str(leaves[n].grad) for n in leaves}
    names = [name for name in leaves if reaches(out, leaves[name])]
    changed = [n for n in leaves if str(leaves[n].grad) != before[n]]
    return ", ".join(names + [f"{n}.grad changed" for n in changed]) or "none"
