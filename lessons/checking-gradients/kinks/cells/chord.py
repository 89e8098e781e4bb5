import matplotlib.pyplot as plt
import torch

eps = 0.5  # gradcheck takes 1e-6
x = torch.linspace(-1, 1, 201)
ends = torch.tensor([-eps, eps])
down, up = torch.relu(ends)
slope = (up - down) / (2 * eps)

plt.figure(figsize=(5, 3))
plt.plot(x, torch.relu(x), label="relu")
plt.plot(ends, torch.relu(ends), "o--", label=f"slope {slope:.1f}")
plt.xticks([-1, -eps, 0, eps, 1])
plt.xlabel("x")
plt.ylabel("output")
plt.title("A central difference at the kink")
plt.legend()
plt.tight_layout()
