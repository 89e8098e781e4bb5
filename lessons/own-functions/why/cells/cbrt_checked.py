from torch.autograd import gradcheck

x = torch.tensor([8, -27], dtype=torch.double, requires_grad=True)
root = Cbrt.apply(x)
(root + x).sum().backward()
print("root:  ", root.detach().round(decimals=4))
print("x.grad:", x.grad)
print("gradcheck:", gradcheck(Cbrt.apply, x))
