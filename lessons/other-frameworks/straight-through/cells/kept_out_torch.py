import torch


def sign(x):
    x = x.clamp(-1, 1)
    rest = (x.sign() - x).detach()
    return x + rest  # the value of x.sign()


x = torch.tensor([-3, -0.3, 0.3])
x = x.to(torch.float16).requires_grad_()
y = sign(x)
(10 * y).sum().backward()
print("y:       ", y.tolist())
print("gradient:", x.grad.tolist())
print(x.dtype, "gives", x.grad.dtype)
