"""Exports and imports: all that is stored of one learner as a zip file."""
