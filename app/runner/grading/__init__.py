"""The second part of a submission, after app.runner.runs: a grader's child questions the learner's child, and reaches a verdict."""
