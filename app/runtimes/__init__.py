"""What runs inside a sandbox child: the frameworks, and the program in them. Called by app.sandbox."""
