import torch

x = torch.tensor([2.0], requires_grad=True)
y = x ** 2
z = y * 3

y.retain_grad()
z.backward(retain_graph=True)
print(x.grad, y.grad)

z.backward()       # once more through the same graph: gradients accumulate
print(x.grad)
