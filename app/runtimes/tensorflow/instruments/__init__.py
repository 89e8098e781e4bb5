"""Observes TensorFlow's tapes and checks."""
