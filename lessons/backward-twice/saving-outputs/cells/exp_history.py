class ExpTold(Exp):
    @staticmethod
    def forward(ctx, x):
        out = Exp.forward(ctx, x)
        print("inside forward:", out.requires_grad)
        return out


out = ExpTold.apply(x)
(saved,) = out.grad_fn.saved_tensors
print("after apply:   ", saved.requires_grad)
print("the same node: ", saved.grad_fn is out.grad_fn)
