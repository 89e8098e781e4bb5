import torch

w = torch.ones(2, requires_grad=True)
h = w * 2
h.add_(1)
h.sum().backward()
w.detach().add_(1)
(w * w).backward(torch.ones(2))
(w * w).backward(torch.tensor(1.0))
w.add_(1)
