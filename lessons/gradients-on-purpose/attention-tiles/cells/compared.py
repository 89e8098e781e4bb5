from torch.overrides import TorchFunctionMode


class Largest(TorchFunctionMode):  # is told of each torch call
    shape = torch.Size([0])

    def __torch_function__(self, f, types, args=(), kwargs=None):
        out = f(*args, **(kwargs or {}))
        if isinstance(out, torch.Tensor):
            self.shape = max(self.shape, out.shape, key=math.prod)
        return out


q, k, v = (torch.randn(1000, 32, dtype=torch.double) for _ in range(3))
with Largest() as plain:
    expected = torch.softmax(q @ k.T / math.sqrt(32), 1) @ v
with Largest() as tiles:
    out, _ = tiled(q, k, v, 50)
print("equal:", torch.allclose(out, expected, atol=1e-12))
print("largest, all at once:", list(plain.shape))
print("largest, in tiles:", list(tiles.shape))
