x = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
w = torch.randn(3, 3, dtype=torch.double, requires_grad=True)
b = torch.randn(3, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(Linear.apply, (x, w, b)))
