"""Repeats a call of a custom Function in many ways, and reports what is wrong with its gradient. Imports torch and nothing of the app."""
