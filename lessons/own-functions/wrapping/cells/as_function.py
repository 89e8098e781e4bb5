import inspect

alias = ScaleShift.apply


def scale_shift(x, scale, shift=None):
    """Multiply each feature by its scale; add a shift, if given."""
    return ScaleShift.apply(x, scale, shift)


print("alias:   ", inspect.signature(alias))
print("function:", inspect.signature(scale_shift))

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
scale = torch.tensor([10.0, 100.0])
print(scale_shift(x, scale).tolist())
print(scale_shift(x, scale=scale, shift=torch.ones(2)).tolist())
