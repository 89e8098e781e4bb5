between = [3 / 7, -5 / 7, 0.25]
w = torch.full((3,), -0.1, requires_grad=True)
train(Quantise.apply, w, between, steps=100)
taken = []
for _ in range(40):
    taken.append(rounded(w)[2].item())
    train(Quantise.apply, w, between, steps=1)
print("values:", sorted({round(value, 4) for value in taken}))
print(f"mean: {sum(taken) / len(taken):.4f}")
