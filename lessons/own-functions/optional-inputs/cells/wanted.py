class Wanted(Linear):
    @staticmethod
    def backward(ctx, grad_output):
        x, w, b = ctx.saved_tensors
        print("wanted:", ctx.needs_input_grad)
        grad_x = grad_w = grad_b = None  # what is not wanted stays so
        if ctx.needs_input_grad[0]:
            grad_x = grad_output @ w
        if ctx.needs_input_grad[1]:
            grad_w = grad_output.T @ x
        if b is not None and ctx.needs_input_grad[2]:
            grad_b = grad_output.sum(0)
        return grad_x, grad_w, grad_b


data = torch.ones(4, 3)
w = torch.ones(2, 3, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
for inputs in ((data, w), (data, w, None), (data, w, b)):
    Wanted.apply(*inputs).sum().backward()
