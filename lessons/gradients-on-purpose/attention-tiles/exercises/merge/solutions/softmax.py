import torch


def merge(out_a, log_a, out_b, log_b):
    logs = torch.cat([log_a, log_b], dim=1)
    share = torch.softmax(logs, dim=1)
    first, second = share[:, :1], share[:, 1:]
    return first * out_a + second * out_b, torch.logsumexp(logs, 1, keepdim=True)
