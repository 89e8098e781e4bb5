class TimesKept(Times):
    @staticmethod
    def forward(ctx, x, w):
        ctx.x, ctx.w = x, w
        return x * w

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.w, grad_output * ctx.x


for function in (TimesKept, Times):
    w = torch.ones(2, requires_grad=True)
    batch = torch.tensor([3.0, 5.0])
    loss = function.apply(batch, w).sum()
    batch.copy_(torch.tensor([7.0, 9.0]))  # the next batch
    try:
        loss.backward()
        print(f"{function.__name__}: {w.grad.tolist()}")
    except RuntimeError as error:
        print(f"{function.__name__}: {error}")
