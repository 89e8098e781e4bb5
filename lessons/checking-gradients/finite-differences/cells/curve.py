import matplotlib.pyplot as plt

eps = torch.logspace(-15, 0, 46, dtype=torch.double)
up, down = 1 / (x + eps), 1 / (x - eps)
central = ((up - down) / (2 * eps) - slope).abs()
one_sided = ((up - 1 / x) / eps - slope).abs()

plt.figure(figsize=(5, 3))
plt.loglog(eps, one_sided, "s--", ms=3, label="one-sided")
plt.loglog(eps, central, "o-", ms=3, label="central")
plt.xlabel("eps")
plt.ylabel("error")
plt.title("Slope of 1/x at 3")
plt.legend(loc="lower left")
plt.tight_layout()
