import torch


def pull(grad_output, x):
    strides = torch.empty(x.shape).stride()
    return grad_output.as_strided(x.shape, strides) / (1 + x)
