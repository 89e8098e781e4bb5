"""What web reads and writes of a learner in app.classroom."""
