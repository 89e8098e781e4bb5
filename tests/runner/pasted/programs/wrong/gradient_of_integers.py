import torch

x = torch.tensor([2, 3], requires_grad=True)
Q = 3 * x ** 3
Q.sum().backward()
