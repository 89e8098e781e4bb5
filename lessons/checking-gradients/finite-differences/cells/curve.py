import matplotlib.pyplot as plt

eps = torch.logspace(-15, 0, 46, dtype=torch.double)
up, down = torch.exp(x + eps), torch.exp(x - eps)
central = ((up - down) / (2 * eps) - math.e).abs()
one_sided = ((up - torch.exp(x)) / eps - math.e).abs()

plt.figure(figsize=(5, 3))
plt.loglog(eps, one_sided, "s--", ms=3, label="one-sided")
plt.loglog(eps, central, "o-", ms=3, label="central")
plt.xlabel("eps")
plt.ylabel("error")
plt.title("Slope of exp at 1")
plt.legend()
plt.tight_layout()
