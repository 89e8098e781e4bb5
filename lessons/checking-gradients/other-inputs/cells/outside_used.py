from torch.autograd import gradcheck

x = torch.tensor([2, 3], dtype=torch.double, requires_grad=True)
Scale.apply(x).sum().backward()
print("x.grad:", x.grad.tolist())
print("w.grad:", w.grad)
print("gradcheck of x:      ", gradcheck(Scale.apply, x))
print("gradcheck of x and w:", gradcheck(lambda x, w: Scale.apply(x), (x, w)))
