class ExpPrinting(Exp):
    @staticmethod
    def forward(ctx, x):
        out = Exp.forward(ctx, x)
        print("inside forward, requires_grad:", out.requires_grad)
        return out


x = torch.tensor(1.0, dtype=torch.double, requires_grad=True)
out = ExpPrinting.apply(x)
(saved,) = out.grad_fn.saved_tensors
print("after apply, requires_grad:   ", saved.requires_grad)
print("its node is the output's node:", saved.grad_fn is out.grad_fn)
