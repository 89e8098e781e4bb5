"""Compares the gradients of `backward` with the reference, and recognises why a gradient may differ. The other probes use it."""
