# pitfall: kept-after-backward
# line: 13
# silent: yes
# seen: the mask on ctx, as large as the activations, is not released after backward as saved tensors are; move it to `save_for_backward`.
import torch
from torch import nn


class Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p):
        mask = (torch.rand_like(x) >= p).to(x.dtype) / (1 - p)
        ctx.mask = mask
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.mask, None


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(30, 400)
        self.out = nn.Linear(400, 1)

    def forward(self, x):
        h = torch.relu(self.hidden(x))
        for _ in range(3):
            h = Dropout.apply(h, 0.2)
        return self.out(h)


torch.manual_seed(20)
network = Network()
sensors = torch.randn(256, 30)
predictions = []
for batch in sensors.split(64):
    prediction = network(batch)
    prediction.pow(2).mean().backward()
    predictions.append(prediction)
print("predictions:", tuple(torch.cat(predictions).shape))
