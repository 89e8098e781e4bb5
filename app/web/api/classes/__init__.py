"""The routes of classes: a learner's raised hand, events and notes. Called by the app."""
