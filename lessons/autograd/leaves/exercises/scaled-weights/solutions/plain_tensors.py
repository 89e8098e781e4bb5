import torch


class Line:
    def __init__(self, start):
        self.weight = (start / 10).requires_grad_()
        self.bias = torch.zeros((), dtype=start.dtype, requires_grad=True)

    def parameters(self):
        return [self.weight, self.bias]

    def __call__(self, x):
        return (x * self.weight).sum(1) + self.bias


def train(start, x, y, steps):
    model = Line(start)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        optimizer.step()
    return model.weight, model.bias
