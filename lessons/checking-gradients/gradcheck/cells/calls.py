from torch.autograd import gradcheck

two = torch.tensor(2.0, dtype=torch.double)


def counted(x):
    global calls
    calls += 1
    return saturate(x, scale=two)  # the keyword is given here


for n in (1, 10, 100):
    x = torch.linspace(-2, 2, n, dtype=torch.double, requires_grad=True)
    calls = 0
    passed = gradcheck(counted, x)
    print(f"{n} entries: {passed}, {calls} calls")
