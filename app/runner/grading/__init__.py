"""The second child of a submission, the grader's, and the passing of messages between it and the learner's."""
