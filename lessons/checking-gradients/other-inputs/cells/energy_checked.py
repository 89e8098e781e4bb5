from torch.autograd import gradcheck

v = torch.tensor([1, 2], dtype=torch.double, requires_grad=True)
print("as it is:", gradcheck(Energy.apply, v))
print("scaled:  ", gradcheck(lambda v: 1e6 * Energy.apply(v), v))
