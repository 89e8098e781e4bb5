import torch


def check(pull):
    x = torch.rand(3, 2, dtype=torch.double)
    a = torch.randn(3, 2, dtype=torch.double)
    b = torch.randn(3, 2, dtype=torch.double)
    kept = a.clone()
    separate = 30 * pull(a, x) - 20 * pull(b, x)
    assert torch.allclose(pull(30 * a - 20 * b, x), separate)
    assert torch.equal(a, kept), "changed"
    columns = kept.t().contiguous().t()
    assert torch.allclose(pull(columns, x), kept / (1 + x))
