import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
out = 3 * x
node = out.grad_fn.next_functions[0][0]
print(type(node).__name__, "of x:", node.variable is x)
