"""Calls of a learner's functions from the grader's child, and what the learner's process tells of them."""
