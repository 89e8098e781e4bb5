a = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
h = 2 * a
y = Marked.apply(h)
(y + h).backward()
print("h:", h.item(), " y:", y.item(), " y is h:", y is h)
print("node of h:", h.grad_fn.name())
print("a.grad:", a.grad.item())
try:
    Marked.apply(a)
except RuntimeError as error:
    print("of a leaf:", error)
