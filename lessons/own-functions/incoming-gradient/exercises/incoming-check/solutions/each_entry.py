import torch
from torch.autograd import gradcheck


def check(reciprocal):
    x = torch.tensor([1.5, -0.7], dtype=torch.double, requires_grad=True)

    def up(x):
        return 10 * reciprocal(x)

    def down(x):
        return -10 * reciprocal(x)

    return all(gradcheck(f, x) for f in (reciprocal, up, down))
