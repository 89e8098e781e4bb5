"""Runs in the grader's child: the words that a checks.py is made of, and the examination."""
