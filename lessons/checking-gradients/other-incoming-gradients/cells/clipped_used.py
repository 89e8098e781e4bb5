def pull(g):
    return torch.autograd.grad(LogClipped.apply(x), x, g)[0]


x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
print("gradcheck:", torch.autograd.gradcheck(LogClipped.apply, x))

(grad_x,) = torch.autograd.grad(10 * LogClipped.apply(x), x)
print("10 log(1 + x):", grad_x.item())

a, b = torch.tensor([1, -1], dtype=torch.double)
print("backward(3a - 2b):            ", pull(3 * a - 2 * b).item())
separate = 3 * pull(a) - 2 * pull(b)
print("3 backward(a) - 2 backward(b):", separate.item())
