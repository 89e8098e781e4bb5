"""Replacements for functions of TensorFlow that cannot work in the sandbox as they are."""
