import torch
from torch.autograd import gradcheck

functions = {
    "relu": torch.relu,
    "clamp": lambda x: x.clamp(min=0),
    "maximum": lambda x: torch.maximum(x, torch.zeros_like(x)),
    "abs": torch.abs,
}
zero = torch.tensor(0, dtype=torch.double, requires_grad=True)
for name, f in functions.items():
    (grad,) = torch.autograd.grad(f(zero), zero)
    passed = gradcheck(f, zero, raise_exception=False)
    print(f"{name}: gradient {grad.item()}, gradcheck {passed}")
