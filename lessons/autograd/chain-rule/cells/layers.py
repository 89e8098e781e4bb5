import torch

for skip in (False, True):
    x = torch.tensor(1.0, requires_grad=True)
    h = x
    for _ in range(30):
        layer = 0.1 * h
        h = h + layer if skip else layer
    h.backward()
    print(f"skip = {skip}: x.grad = {x.grad:.3g}")
