"""`gradroom loadtest`: simulates a class of learners whose browsers use a server. Called by app.cli."""
