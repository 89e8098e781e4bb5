"""The page "My work", and the stored work of learners for this and other pages."""
