outside = [3 / 7, -5 / 7, 2.0]
w = torch.full((3,), -0.1, requires_grad=True)
losses = train(Quantise.apply, w, outside, steps=100)
print(f"loss: {losses[-1]:.4f}")
print(f"quantised: {rounded(w)[2].item():.1f}")
print(f"stored: {w[2].item():.1f}")
