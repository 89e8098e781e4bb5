"""The routes of classes: a learner's raised hand, events and notes; a teacher's board and its members. Called by the app."""
