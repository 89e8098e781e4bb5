"""Observes tf.test.compute_gradient, gradient tapes and TensorFlow's values."""
