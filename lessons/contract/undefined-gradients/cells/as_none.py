class MeanStdNone(MeanStd):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)  # None instead of zeros
        return MeanStd.forward(ctx, x)


x = torch.tensor([2.0, 2, 2], requires_grad=True)
mean, std = MeanStdNone.apply(x)
try:
    mean.backward()
    print("x.grad:", x.grad)
except TypeError as error:
    print("TypeError:", error)
