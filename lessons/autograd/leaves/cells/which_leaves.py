import torch

data = torch.rand(3)
doubled = data * 2  # no operand requires grad: not recorded
weight = torch.rand(3, requires_grad=True)
product = weight * data

tensors = dict(data=data, doubled=doubled, weight=weight, product=product)
for name, tensor in tensors.items():
    print(f"{name:8} leaf: {tensor.is_leaf}")
