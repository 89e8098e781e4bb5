import torch


def merge(out_a, log_a, out_b, log_b):
    a = torch.exp(log_a)
    b = torch.exp(log_b)
    return (a * out_a + b * out_b) / (a + b), torch.log(a + b)
