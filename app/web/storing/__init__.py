"""What web reads and writes in app.classroom for a learner."""
