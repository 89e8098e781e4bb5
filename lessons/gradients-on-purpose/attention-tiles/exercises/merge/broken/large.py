import torch


def merge(out_a, log_a, out_b, log_b):
    top = log_a
    a = torch.exp(log_a - top)
    b = torch.exp(log_b - top)
    total = a + b
    return (a * out_a + b * out_b) / total, top + torch.log(total)
