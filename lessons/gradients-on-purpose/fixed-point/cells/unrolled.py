def unrolled(w, x, steps):
    z = torch.zeros_like(x)
    for _ in range(steps):
        z = torch.tanh(w @ z + x)
    return z


rows = [[0.5, -0.3, 0.2], [0.4, 0.1, -0.6], [-0.2, 0.5, 0.3]]
w = torch.tensor(rows, dtype=torch.double, requires_grad=True)
start = [0.5, -0.2, 0.1]
x = torch.tensor(start, dtype=torch.double, requires_grad=True)
