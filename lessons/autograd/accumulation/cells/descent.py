import matplotlib.pyplot as plt
import torch


def descend(clear):
    w = torch.tensor(0.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    path = []
    for _ in range(30):
        if clear:
            optimizer.zero_grad()
        ((w - 3) ** 2).backward()
        optimizer.step()
        path.append(w.item())
    return path


cleared, added = descend(clear=True), descend(clear=False)
figure, axes = plt.subplots(figsize=(5, 3), layout="tight")
axes.plot(cleared, "o-", label="cleared")
axes.plot(added, "s--", label="not cleared")
axes.set(xlabel="step", ylabel="w", title="minimising (w - 3)²")
axes.legend()
print(f"cleared:     w = {cleared[-1]:.2f}")
print(f"not cleared: w = {min(added):.2f} to {max(added):.2f}")
