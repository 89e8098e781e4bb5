import tensorflow as tf


@tf.custom_gradient
def cube(x):
    def grad(dy):
        return 3 * x**2 * dy

    return x**3, grad


x = tf.Variable(2.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = cube(x)
    dy_dx = inner.gradient(y, x)
print(dy_dx.numpy(), outer.gradient(dy_dx, x).numpy())
