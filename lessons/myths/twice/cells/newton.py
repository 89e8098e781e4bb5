from torch.autograd import grad


def slopes(f, at):
    x = torch.tensor(at, dtype=torch.double, requires_grad=True)
    loss = f(x) + x**2 / 8 - 2 * x
    (first,) = grad(loss, x, create_graph=True)
    (second,) = grad(first, x)
    return first.item(), second.item()


for function in (Recomputed, Kept):
    print(f"{function.__name__} at 0: {slopes(function.apply, 0.0)[1]}")
    x, steps = 3.0, 0
    while abs(slopes(function.apply, x)[0]) > 1e-8:
        first, second = slopes(function.apply, x)
        x, steps = x - first / second, steps + 1
    print(f"  minimum at {x:.4f} after {steps} Newton steps")
