import torch
from torch.utils.checkpoint import checkpoint

calls = 0


def four_layers(h):
    global calls
    for _ in range(4):
        calls += 1
        h = torch.tanh(2 * h)
    return h


x = torch.tensor(0.5, requires_grad=True)
h = x
for _ in range(4):
    h = checkpoint(four_layers, h, use_reentrant=False)
h.backward()
print("layer calls:", calls)
