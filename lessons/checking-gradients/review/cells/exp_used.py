from torch.autograd import grad, gradcheck

x = torch.tensor([0.5, 1], dtype=torch.double, requires_grad=True)
print("gradcheck:", gradcheck(Exp.apply, x))

(mine,) = grad(-Exp.apply(x).sum(), x)
(true,) = grad(-torch.exp(x).sum(), x)
print("gradient of -exp:", mine.round(decimals=4).tolist())
print("true:            ", true.round(decimals=4).tolist())
