"""What a sandbox child runs: programs, the frameworks that they use, and the instruments that observe them. Called by app.sandbox."""
