import tensorflow as tf


@tf.custom_gradient
def square(x):
    def grad(dy):
        return 2 * x

    return x * x, grad


theoretical, numerical = tf.test.compute_gradient(lambda x: 3 * square(x), [tf.constant([1.0, 2.0])])
