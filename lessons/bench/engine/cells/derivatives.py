def derivatives(program, numbers, directions):
    values = build(program, numbers)
    out, inputs = values[-1], values[: len(numbers)]
    gradients(values[-2], inputs)  # must change nothing
    found = gradients(out, inputs)
    for direction in directions.tolist():
        out = sum(c * v for c, v in zip(direction, found))
        found = gradients(out, inputs)
    return tensor([getattr(v, "value", v) for v in found])


def everywhere(program, numbers):
    values = build(program, numbers)
    found = gradients(values[-1], values)
    return tensor([getattr(v, "value", v) for v in found])
