import torch


def merge(out_a, log_a, out_b, log_b):
    log_sum = torch.logaddexp(log_a, log_b)
    out = torch.exp(log_a - log_sum) * out_a + torch.exp(log_b - log_sum) * out_b
    return out, log_sum
