"""What an author's check can ask of a learner's function: one module for each kind of check, and `Subject`, which lists them all."""
