class TimesKept(Times):
    @staticmethod
    def forward(ctx, x, w):
        ctx.x, ctx.w = x, w
        return x * w

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.w, grad_output * ctx.x


for function in (TimesKept, Times):
    w = torch.tensor(1.0, requires_grad=True)
    batch = torch.empty(())
    loss = 0
    for number in (3.0, 5.0, 7.0):
        batch.fill_(number)  # the next batch
        loss = loss + function.apply(batch, w)
    try:
        loss.backward()
        print(f"{function.__name__}: {w.grad.item()}")
    except RuntimeError as error:
        print(f"{function.__name__}: {error}")
