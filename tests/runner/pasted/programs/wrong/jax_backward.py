import jax.numpy as jnp

x = jnp.array([1.0, 2.0], requires_grad=True)
y = (x**2).sum()
y.backward()
print(x.grad)
