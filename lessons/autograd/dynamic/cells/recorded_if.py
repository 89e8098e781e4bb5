import torch
import torch.fx


def absolute(x):
    return x if x > 0 else -x


torch.fx.symbolic_trace(absolute)
