"""What a learner did, as functions on a database connection: attempts, drafts, predictions, reviews, standings."""
