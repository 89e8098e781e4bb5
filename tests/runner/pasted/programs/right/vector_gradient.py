import torch

x = torch.randn(3, requires_grad=True)

y = x * 2
while y.data.norm() < 1000:
    y = y * 2

v = torch.tensor([0.1, 1.0, 0.0001], dtype=torch.float)
y.backward(v)
print(x.grad / v)

# the scalar case, by hand
x = torch.tensor(3., requires_grad=True)
y = torch.tensor(2., requires_grad=True)
z = torch.sqrt(x) + 1 / x + 2 * y ** 2
print(z.grad_fn, z.grad_fn.next_functions)
z.backward(gradient=torch.tensor(2.5))
print(x.grad, y.grad)
