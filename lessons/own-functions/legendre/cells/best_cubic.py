powers = torch.stack([x**k for k in range(4)], dim=1)
best = torch.linalg.lstsq(powers, y).solution
floor = (powers @ best - y).square().sum().item()
print(f"best cubic: {floor:.2f}")

plt.figure(figsize=(5, 3))
plt.plot(curve, label="a + b P₃(c + d x)")
plt.axhline(floor, linestyle="--", color="tab:orange", label="best cubic")
plt.yscale("log")
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Loss of the fit")
plt.legend()
plt.show()
