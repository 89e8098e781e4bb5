from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
layer = torch.nn.Linear(3, 2)
x = torch.rand(5, 3, requires_grad=True)

Checkpoint.apply(layer, x).sum().backward()
print("Checkpoint:", layer.bias.grad)
checkpoint(layer, x, use_reentrant=False).sum().backward()
print("checkpoint:", layer.bias.grad)
