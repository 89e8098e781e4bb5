import torch
from torch.func import grad, vmap


def loss(w, x, y):
    r = x @ w - y
    return (1 + r**2).sqrt()


w = torch.tensor([1.0, -1])
x = torch.tensor([[1.0, 2], [3, 0], [0, 1]])
y = torch.tensor([0.0, 1, 2])
rows = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
print(rows)
print("shape:", list(rows.shape))
