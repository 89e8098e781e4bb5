def shifted(x):
    m = x.amax(-1, keepdim=True)
    return ((x - m).exp().sum(-1, keepdim=True).log() + m).squeeze(-1)


row = [1000.0, 999.0, 998.0]
show("shifted", shifted, row)
show("torch", lambda x: torch.logsumexp(x, -1), row)
print("softmax:", torch.softmax(torch.tensor(row), -1))
