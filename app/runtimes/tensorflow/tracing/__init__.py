"""Observes the operations that TensorFlow's gradient tapes record. Used by the instrument `trace`, which is off by default."""
