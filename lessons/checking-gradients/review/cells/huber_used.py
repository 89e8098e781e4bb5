from torch.autograd import gradcheck

cases = (1, [-2, 0.5]), (2, [-0.7, 0.5]), (2, [-3, 1.5])
for delta, values in cases:
    x = torch.tensor(values, dtype=torch.double, requires_grad=True)
    passed = gradcheck(Huber.apply, (x, delta), raise_exception=False)
    print(f"delta = {delta}, x = {values}: {passed}")
