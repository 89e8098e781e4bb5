from torch.autograd import gradcheck


def of_both(x, w):
    return Scale.apply(x)


x = torch.tensor([2, 3], dtype=torch.double, requires_grad=True)
Scale.apply(x).sum().backward()
print("x.grad:", x.grad.tolist())
print("w.grad:", w.grad)
print("gradcheck of x:      ", gradcheck(Scale.apply, x))
print("gradcheck of x and w:", gradcheck(of_both, (x, w)))
