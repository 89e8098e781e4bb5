import torch


def merge(out_a, log_a, out_b, log_b):
    return (out_a + out_b) / 2, torch.logaddexp(log_a, log_b)
