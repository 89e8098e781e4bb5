import torch

with torch.no_grad():
    layer = torch.nn.Linear(2, 1)
    x = torch.ones(3, 2, requires_grad=True)
    y = layer(x)
layer(x).sum().backward()
layer.weight.grad.zero_()
(x * layer.weight).sum().backward()
y.sum().backward()
y.add_(1)
