class SinhForgetful(Sinh):
    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2  # grad_up, grad_down unused


def forgetful(x):
    return SinhForgetful.apply(x)[0]
