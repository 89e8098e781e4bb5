import torch

weights = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
image = torch.tensor([1.0, 2.0, 3.0])
score = (weights * image).sum()
score.backward()

print("weights.grad =", weights.grad)
print("image.grad =", image.grad)
