import torch

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(10):
    y = y + y  # both operands are the same tensor


def visits(node):
    parents = [parent for parent, _ in node.next_functions if parent]
    return 1 + sum(visits(parent) for parent in parents)


print("visits:", visits(y.grad_fn))
y.backward()
print("x.grad:", x.grad.item())
