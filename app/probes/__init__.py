"""Repeats a call of a custom Function, and reports what is wrong with its gradient. app.runtimes.torch.doctor calls it in second runs.

Imports torch and nothing of the app. Neither first runs nor the grading of submissions use it.
"""
