def setup_context(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad_output):
    (x,) = ctx.saved_tensors
    return grad_output / (1 + x.abs())


softsign.register_autograd(backward, setup_context=setup_context)

x = torch.tensor([0.5, -2], dtype=torch.double, requires_grad=True)
for name, result in torch.library.opcheck(softsign, (x,)).items():
    print(f"{name}: {result}")
print("gradcheck:", torch.autograd.gradcheck(softsign, (x,)))
