import matplotlib.pyplot as plt

torch.manual_seed(0)
x = 8 * torch.linalg.qr(torch.randn(64, 3))[0]


def train(quantise, w, true, steps):
    y = x @ torch.tensor(true)
    losses = []
    for _ in range(steps):
        loss = (x @ quantise(w) - y).square().mean()
        w.grad = None
        loss.backward()
        with torch.no_grad():
            w -= 0.05 * w.grad
        losses.append(loss.item())
    return losses


inside = [3 / 7, -5 / 7, 1 / 7]
plt.figure(figsize=(5, 3))
for f, name in [(rounded, "rounded"), (Quantise.apply, "Quantise")]:
    w = torch.full((3,), -0.1, requires_grad=True)
    losses = train(f, w, inside, steps=60)
    print(f"{name:9} first {losses[0]:.4f}, last {losses[-1]:.4f}")
    plt.plot(losses, "--" if f is rounded else "-", label=name)
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Weights of three bits")
plt.legend()
plt.tight_layout()
