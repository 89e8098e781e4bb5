import matplotlib.pyplot as plt

eps = torch.logspace(-15, 0, 46, dtype=torch.double)
up, down = torch.sqrt(x + eps), torch.sqrt(x - eps)
central = ((up - down) / (2 * eps) - slope).abs()
one_sided = ((up - torch.sqrt(x)) / eps - slope).abs()

plt.figure(figsize=(5, 3))
plt.loglog(eps, one_sided, "s--", ms=3, label="one-sided")
plt.loglog(eps, central, "o-", ms=3, label="central")
plt.xlabel("eps")
plt.ylabel("error")
plt.title("Slope of sqrt at 2")
plt.legend()
plt.tight_layout()
