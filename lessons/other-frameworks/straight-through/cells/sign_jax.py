import jax
import jax.numpy as jnp


@jax.custom_vjp
def sign(x):
    return jnp.sign(x)


def fwd(x):
    return sign(x), x


def bwd(x, g):
    inside = jnp.abs(x) <= 1
    gate = inside.astype(jnp.float32)
    return (g * gate,)


sign.defvjp(fwd, bwd)
loss = lambda x: (10 * sign(x)).sum()
for dtype in (jnp.float32, jnp.float16):
    x = jnp.array([-3, -0.3, 0.3], dtype)
    grad = jax.grad(loss)(x)
    print("gradient:", grad.tolist())
    print(x.dtype, "gives", grad.dtype)
