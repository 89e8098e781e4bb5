import torch

w = torch.tensor([2.0, 3.0], requires_grad=True)
data = torch.ones(2)
data.add_(4)
(w * data).sum().backward()
w.grad.mul_(0.1)
w.add_(-w.grad)
