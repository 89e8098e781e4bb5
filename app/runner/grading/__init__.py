"""Grades submissions: runs the grader's child, and passes messages between it and the learner's child."""
