from torch.autograd import gradcheck

a = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
b = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
x = torch.tensor([-1, 2, 3], dtype=torch.double, requires_grad=True)
print("gradcheck, TenTimes:", gradcheck(TenTimes.apply, x))
print("gradcheck, Gate:    ", gradcheck(Gate.apply, x))

(2 * b + TenTimes.apply(a)).backward()
print("a.grad:", a.grad.item())
print("b.grad:", b.grad.item())

Gate.apply(x).sum().backward()
print("x.grad:", x.grad.tolist())
try:
    TenTimes.apply(x).sum().backward()
except RuntimeError as error:
    print("TenTimes:", error)
