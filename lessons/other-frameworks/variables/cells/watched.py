import tensorflow as tf

k = tf.constant(2.0)
x = tf.constant(3.0)


@tf.custom_gradient
def scale(x):
    def grad(g):
        return g * k

    return k * x, grad


with tf.GradientTape() as tape:
    tape.watch([x, k])
    y = scale(x)
grads = tape.gradient(y, [x, k])
print("x:", grads[0])
print("k:", grads[1])
