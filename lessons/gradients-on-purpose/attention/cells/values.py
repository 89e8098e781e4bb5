q, k, v = (torch.randn(6, 4, requires_grad=True) for _ in range(3))
g = torch.randn(6, 4)  # the incoming gradient
attention(q, k, v).backward(g)
with torch.no_grad():
    p = torch.softmax(q @ k.T / math.sqrt(4), 1)
    print("p.T @ g is v's gradient:", torch.allclose(p.T @ g, v.grad))
