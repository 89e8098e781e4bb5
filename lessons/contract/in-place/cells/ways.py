def in_no_grad(h):
    with torch.no_grad():
        h.mul_(2)


ways = {
    "no_grad": in_no_grad,
    "detach()": lambda h: h.detach().mul_(2),
    ".data": lambda h: h.data.mul_(2),
    "numpy()": lambda h: h.detach().numpy().fill(2),
}
for name, double in ways.items():
    w = torch.tensor(1.0, requires_grad=True)
    h = 1 * w
    y = Square.apply(h)
    double(h)
    try:
        y.backward()
        print(f"{name:9} version {h._version}, w.grad: {w.grad.item()}")
    except RuntimeError:
        print(f"{name:9} version {h._version}, RuntimeError")
