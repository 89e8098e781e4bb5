q = torch.tensor([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
k = torch.tensor([[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]])
v = torch.tensor([[10.0], [20.0], [30.0]])
p = torch.softmax(q @ k.T / math.sqrt(2), 1)
for row, out in zip(p, attention(q, k, v)):
    weights = "  ".join(f"{w:.2f}" for w in row)
    print(f"weights: {weights}   output: {out.item():.1f}")
