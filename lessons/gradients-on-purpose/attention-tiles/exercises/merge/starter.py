import torch


def merge(out_a, log_a, out_b, log_b): ...
