"""The command `gradroom doctor`: runs files in the sandbox and prints what is wrong with their Functions. Called by app.cli."""
