"""TensorFlow in a child."""
