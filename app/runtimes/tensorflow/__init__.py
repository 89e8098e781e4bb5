"""The runtime for programs that use TensorFlow."""
