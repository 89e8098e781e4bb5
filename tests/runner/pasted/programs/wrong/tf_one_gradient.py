import tensorflow as tf


@tf.custom_gradient
def multiply(x, y):
    def grad(dy):
        return dy * y

    return x * y, grad


x, y = tf.constant(2.0), tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch([x, y])
    z = multiply(x, y)
print(tape.gradient(z, [x, y]))
