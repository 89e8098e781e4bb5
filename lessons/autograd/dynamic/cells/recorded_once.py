import torch
import torch.fx

double = True


def scale(x):
    return 2 * x if double else 5 * x


recorded = torch.fx.symbolic_trace(scale)
double = False  # after recording

x = torch.tensor(1.0, requires_grad=True)
print("scale gives", scale(x).item())
print("recorded gives", recorded(x).item())
