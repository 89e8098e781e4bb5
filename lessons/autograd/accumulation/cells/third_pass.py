import torch

x = torch.tensor(3.0, requires_grad=True)
for n in (1, 2, 3):
    (x**2).backward()
    print(f"pass {n}: x.grad = {x.grad.item()}")
