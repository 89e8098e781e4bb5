import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3))
plt.plot(theirs, linewidth=5, alpha=0.4, label="torch.relu")
plt.plot(mine, "--", label="Relu.apply")
plt.yscale("log")
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Two-layer net, fitted to |x|")
plt.legend()
plt.show()
