import torch
from torch.nn import Module, Parameter


class Line(Module):
    def __init__(self, start):
        super().__init__()
        with torch.no_grad():
            start *= 0.1
        self.weight = Parameter(start)
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
