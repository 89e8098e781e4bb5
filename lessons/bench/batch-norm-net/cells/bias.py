torch.manual_seed(0)
x, labels = torch.randn(8, 3), torch.randint(4, (8,))
params = {"w1": torch.randn(3, 5), "b1": torch.randn(5)}
params |= {"gamma": torch.randn(5), "beta": torch.randn(5)}
params |= {"w2": torch.randn(5, 4), "b2": torch.randn(4)}
for tensor in params.values():
    tensor.requires_grad_()
layers(x, labels, **params)[-1].backward()
for name, tensor in params.items():
    print(f"{name}: {tensor.grad.abs().max().item():.4f}")
