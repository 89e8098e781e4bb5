class Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, run, x):
        ctx.run, ctx.state = run, torch.get_rng_state()
        ctx.save_for_backward(x)
        return run(x)

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        torch.set_rng_state(ctx.state)  # as before the first run
        with torch.enable_grad():
            out = ctx.run(x)
        (grad_x,) = torch.autograd.grad(out, x, grad_output)
        return None, grad_x
