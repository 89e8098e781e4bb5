import torch

data = torch.rand(3)
doubled = data * 2
weight = torch.rand(3, requires_grad=True)
product = weight * data  # weight requires grad

names = "data", "doubled", "weight", "product"
for name, tensor in zip(names, (data, doubled, weight, product)):
    print(f"{name:8} leaf: {tensor.is_leaf}")
