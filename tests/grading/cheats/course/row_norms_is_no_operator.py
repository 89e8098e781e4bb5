# exercise: contract/custom-op/row-norms
# A plain function, and what would show that it is no operator says what is expected.
import torch


def row_norms(x):
    return x.norm(dim=1)


def promised(x):
    return torch.zeros(x.shape[0])


def tested(x):
    return torch.tensor([True] * 4)
