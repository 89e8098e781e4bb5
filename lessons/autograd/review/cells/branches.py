import torch


def f(x):
    return x**2 if x > 2 else -x


x = torch.tensor(3.0, requires_grad=True)
f(x).backward()
with torch.no_grad():
    x -= 2
f(x).backward()
print("x =", x.item())
print("x.grad =", x.grad.item())
