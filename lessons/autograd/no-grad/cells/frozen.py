import torch

first = torch.nn.Linear(2, 2)
second = torch.nn.Linear(2, 1)
second.requires_grad_(False)  # all its parameters

second(first(torch.ones(2))).sum().backward()
print("first has a gradient: ", first.weight.grad is not None)
print("second has a gradient:", second.weight.grad is not None)
