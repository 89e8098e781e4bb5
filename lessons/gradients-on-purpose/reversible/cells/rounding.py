import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3))
depths = (1, 3, 10, 30, 100, 300)
for dtype, mark in ((torch.float32, "o-"), (torch.float64, "s--")):
    errors = []
    for depth in depths:
        x1 = torch.linspace(-1, 1, 100, dtype=dtype)
        x2 = torch.linspace(0.5, 1.5, 100, dtype=dtype)
        y1, y2 = plain(x1, x2, depth)
        for _ in range(depth):
            y2 = y2 - g(y1)
            y1 = y1 - f(y2)
        errors.append((y1 - x1).abs().max().item())
    large = errors[-1] > 1e-3
    print(dtype, "after 300 blocks, error over 0.001:", large)
    plt.loglog(depths, errors, mark, label=str(dtype))
plt.xlabel("blocks")
plt.ylabel("largest error of x1")
plt.title("The recomputed input")
plt.legend()
plt.tight_layout()
