import tensorflow as tf


@tf.custom_gradient
def relu(x):
    def grad(g):
        # x: kept in the closure
        return tf.where(x > 0, g, 0)

    return tf.maximum(x, 0), grad


x = tf.Variable([-1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = 10 * relu(x)
gradient = tape.gradient(y, x)
print("gradient:", gradient.numpy().tolist())
