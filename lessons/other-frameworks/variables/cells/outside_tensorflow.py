import tensorflow as tf

k = tf.Variable(2.0)
x = tf.Variable(3.0)


@tf.custom_gradient
def scale(x):
    def grad(g):
        return g * k

    return k * x, grad  # k: from outside


with tf.GradientTape() as tape:
    y = scale(x)
grads = tape.gradient(y, [x, k])
print("x:", grads[0])
print("k:", grads[1])
