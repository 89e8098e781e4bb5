"""Grades a submission, in the grader's child: `examination` runs the author's checks, `vocabulary` is the module that they import."""
