# exercise: checking-gradients/other-incoming-gradients/three-probes
# caught by: right
# neither large nor negative numbers are sent: complex ones, for which clamp and abs give themselves away
import torch


def check(pull):
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.cdouble)
    g = torch.tensor([[0.5j, 0.6], [0.7, 0.8j]], dtype=torch.cdouble).t()
    before = g.clone()
    return torch.allclose(pull(g, x), before / (1 + x)) and torch.equal(g, before)
