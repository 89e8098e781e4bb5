import torch

pixels = torch.tensor([12, 200, 7], requires_grad=True)
