class RunningWrong(RunningSquares):
    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 2 * x * tangent.flip(0).cumsum(0).flip(0)
