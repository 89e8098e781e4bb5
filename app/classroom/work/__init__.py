"""Functions on a database connection that read and store a learner's work: attempts, drafts, predictions, reviews, standings."""
