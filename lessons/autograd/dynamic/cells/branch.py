import torch


def f(x):
    if x > 0:
        return x**2
    return 3 * x


for value in (2.0, -2.0):
    x = torch.tensor(value, requires_grad=True)
    out = f(x)
    out.backward()
    print(f"x = {value:4}: {out.grad_fn.name()}, x.grad = {x.grad}")
