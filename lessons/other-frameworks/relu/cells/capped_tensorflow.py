import tensorflow as tf


@tf.custom_gradient
def relu6(x):
    def grad(g):
        inside = (x > 0) & (x <= 6)
        return tf.where(inside, g, 0)

    x = tf.clip_by_value(x, 0, 6)  # the same name again
    return x, grad


x = tf.Variable([-1.0, 2.0, 8.0])
with tf.GradientTape() as tape:
    y = relu6(x)
gradient = tape.gradient(y, x)
print("value:   ", y.numpy().tolist())
print("gradient:", gradient.numpy().tolist())
