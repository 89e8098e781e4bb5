from torch.fx.experimental.proxy_tensor import make_fx

one, three = torch.tensor(1.0), torch.tensor(3.0)
recorded = make_fx(Softsign.apply)(one)
print("Function at 3:", Softsign.apply(three).item())
print("recorded at 1, run at 3:", recorded(three).item())
