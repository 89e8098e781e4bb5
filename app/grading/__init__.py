"""Makes the order to grade a submission, and the learner's answer from the verdict. Runs in web; called by app.web and app.authoring.

The grading itself is app.runtimes.torch.grading, in the grader's child.
"""
