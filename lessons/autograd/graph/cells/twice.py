import torch
import torchviz

x = torch.tensor([3.0, 4.0], requires_grad=True)
a = x + 2
out = (a * a).sum()
print([type(n).__name__ for n, _ in (a * a).grad_fn.next_functions])
torchviz.make_dot(out, params={"x": x, "out": out})
