import jax


def loss(x, k):
    @jax.custom_vjp
    def scale(x):
        return k * x  # k comes from outside

    def fwd(x):
        return k * x, None

    def bwd(residuals, g):
        return (g * k,)

    scale.defvjp(fwd, bwd)
    return scale(x)


for which in (0, (0, 1)):
    grad = jax.grad(loss, argnums=which)
    print("argnums", which, grad(3.0, 2.0))
