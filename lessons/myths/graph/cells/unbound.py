import torch

x = torch.tensor([2.0, 3.0, 5.0], requires_grad=True)
a, b, c = x.unbind()  # one operation, three tensors

product = b * c
for node, number in product.grad_fn.next_functions:
    print("edge to", type(node).__name__, number)
