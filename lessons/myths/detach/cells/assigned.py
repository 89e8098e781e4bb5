import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = 2 * w
h.add_(1)
c = w.clone()
c[0] = 10
w[0] = 10
print("w:", w.tolist(), " leaf:", w.is_leaf)
