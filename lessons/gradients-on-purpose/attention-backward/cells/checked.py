def in_tiles(q, k, v):
    return TiledAttention.apply(q, k, v, 2)


q, k, v = (torch.randn(5, 3, dtype=torch.double, requires_grad=True) for _ in range(3))
print("gradcheck:", torch.autograd.gradcheck(in_tiles, (q, k, v)))
