"""In web: makes the order to grade a submission, and of its verdict the learner's answer. Called by app.web and app.authoring.

The grading itself is app.runtimes.torch.grading, in the grader's child.
"""
