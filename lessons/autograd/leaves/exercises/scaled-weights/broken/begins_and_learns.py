import torch
from torch.nn import Module, Parameter


class Line(Module):
    def __init__(self, start):
        super().__init__()
        self.weight = Parameter(start * 0.1, requires_grad=False)
        self.bias = Parameter(torch.zeros((), dtype=start.dtype))

    def forward(self, x):
        return x @ self.weight + self.bias


def train(start, x, y, steps):
    model = Line(start)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    return model.weight, model.bias
