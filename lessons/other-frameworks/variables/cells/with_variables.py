import tensorflow as tf

k = tf.Variable(2.0)
x = tf.Variable(3.0)


@tf.custom_gradient
def scale(x):
    def grad(g, variables):
        print("variables:", [float(v) for v in variables])
        return g * k, [g * x]  # a list: one for each Variable

    return k * x, grad


with tf.GradientTape() as tape:
    y = scale(x)
grads = tape.gradient(y, [x, k])
print("x:", grads[0])
print("k:", grads[1])
