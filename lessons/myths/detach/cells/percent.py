import torch

x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
y = torch.sigmoid(x)
percent = y.detach()
percent.mul_(100)
print("percent:", percent[1].item(), " y:", y[1].item())
y.sum().backward()
print("x.grad:", x.grad[1].item())
