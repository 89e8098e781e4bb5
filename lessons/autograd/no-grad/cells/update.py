import torch

w = torch.tensor(2.0, requires_grad=True)
for n in (1, 2, 3):
    (w**2).backward()
    with torch.no_grad():
        w -= 0.1 * w.grad  # the same tensor, not recorded
    w.grad = None
    print(f"step {n}: w = {w.item():.3f}, leaf: {w.is_leaf}")
