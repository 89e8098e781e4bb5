import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3))
plt.plot(x, y, linewidth=5, alpha=0.4, label="sin x")
fitted = model(Legendre3.apply, *numbers).detach()
plt.plot(x, fitted, "--", label="a + b P₃(c + d x)")
plt.xlabel("x")
plt.ylabel("y")
plt.title("Fit by one Legendre polynomial")
plt.legend()
plt.show()
