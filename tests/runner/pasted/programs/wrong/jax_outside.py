import jax


def loss(x, k):
    @jax.custom_vjp
    def scale(x):
        return k * x

    def fwd(x):
        return k * x, None

    def bwd(residuals, g):
        return (g * k,)

    scale.defvjp(fwd, bwd)
    return scale(x)


print(jax.grad(loss, argnums=(0, 1))(3.0, 2.0))
