import torch


def check(pull):
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.double)
    columns = torch.tensor([[5, -6], [7, 8]], dtype=torch.double).t()
    rows, before = columns.contiguous(), columns.clone()
    right = before / (1 + x)
    if not (torch.allclose(pull(columns, x), right) and torch.allclose(pull(rows, x), right)):
        return False
    return torch.equal(rows, before) or not torch.equal(columns, before)
