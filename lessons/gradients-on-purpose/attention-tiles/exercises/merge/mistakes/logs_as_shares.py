import torch


def merge(out_a, log_a, out_b, log_b):
    total = log_a + log_b
    return (log_a * out_a + log_b * out_b) / total, total
