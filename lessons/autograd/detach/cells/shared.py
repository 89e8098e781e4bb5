import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
detached = x.detach()
cloned = x.clone()
detached[0] = 100
print("x:     ", x.tolist())
print("cloned:", cloned.tolist(), cloned.grad_fn.name())
