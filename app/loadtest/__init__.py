"""`gradroom loadtest`: simulates a class of learners who use a server, as browsers would. Called by app.cli."""
