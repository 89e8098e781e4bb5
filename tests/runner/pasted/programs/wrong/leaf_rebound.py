import torch

w = torch.randn(3, requires_grad=True)
for t in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    w = w - 0.1 * w.grad
    w.grad.zero_()
