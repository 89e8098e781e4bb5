from torch.autograd import gradcheck

x = torch.tensor([1, 2], dtype=torch.double, requires_grad=True)
print("of a copy:", gradcheck(lambda x: Unmarked.apply(x.clone()), x))
print("of x:     ", gradcheck(Unmarked.apply, x))
