"""Observes a program from inside, with any framework."""
