from torch.utils.checkpoint import checkpoint

for preserve in (True, False):
    torch.manual_seed(0)
    x = torch.ones(6, requires_grad=True)
    out = checkpoint(drop, x, use_reentrant=False, preserve_rng_state=preserve)
    out.sum().backward()
    print(f"preserve_rng_state={preserve}: same mask", torch.equal(out, x.grad))

norm = torch.nn.BatchNorm1d(6)
x = torch.rand(4, 6, requires_grad=True)
checkpoint(norm, x, use_reentrant=False).sum().backward()
print("batches seen by norm:", norm.num_batches_tracked.item())
