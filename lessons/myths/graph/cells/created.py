import torch

created = torch.ones(3, requires_grad=True)
converted = torch.ones(3, requires_grad=True).double()
computed = (4 * created).detach().requires_grad_()
for tensor in (created, converted, computed):
    print("leaf:", tensor.is_leaf)

torch.optim.SGD([created], lr=0.1)
torch.optim.SGD([computed], lr=0.1)
torch.optim.SGD([converted], lr=0.1)
torch.optim.SGD([created[0]], lr=0.1)
