import torch

w = torch.tensor(3.0, requires_grad=True)
y = w + w
for number in (1, 2):
    (grad,) = torch.autograd.grad(y, w)
    print("pass", number, "gives", grad.item())
