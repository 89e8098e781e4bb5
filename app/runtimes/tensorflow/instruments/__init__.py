"""Observes tf.test.compute_gradient and TensorFlow's values."""
