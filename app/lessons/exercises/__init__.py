"""Loads exercises: exercise.toml, programs and texts. Checks that they agree, and that a check holds each promise of the task."""
