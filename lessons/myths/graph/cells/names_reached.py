def names_reached(program, x, y):
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
