a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)

total, diff = SumDifference.apply(a, b, 10)
(2 * total + 5 * diff).backward()
print("a.grad =", a.grad.item())
print("b.grad =", b.grad.item())
