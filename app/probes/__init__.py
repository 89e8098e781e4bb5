"""Runs a call of a custom Function again, in many ways, and says what is wrong with its gradient. Imports torch and nothing of the app."""
