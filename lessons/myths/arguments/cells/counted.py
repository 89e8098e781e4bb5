class Short(Affine):
    @staticmethod
    def backward(ctx, grad_output):
        grad_x = ctx.scale * grad_output
        if ctx.shifted:
            return grad_x, None, grad_output
        return grad_x, None  # no shift, no gradient for it


x = torch.tensor([1.0, 4.0], requires_grad=True)
for inputs in ((x, 3.0), (x, 3.0, None)):
    try:
        Short.apply(*inputs).sum().backward()
        print(len(inputs), "given: works")
    except RuntimeError as error:
        print(len(inputs), "given:", str(error)[23:])
