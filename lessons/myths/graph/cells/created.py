import torch

single = torch.ones(3, requires_grad=True)
double = torch.ones(3, requires_grad=True).double()
fixed = (4 * single).detach()
(single**2).sum().backward()

print("single:     ", single.is_leaf)
print("double:     ", double.is_leaf)
print("fixed:      ", fixed.is_leaf)
print("single.grad:", single.grad.is_leaf)
