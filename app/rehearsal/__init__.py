"""`gradroom loadtest`: plays a class against a server, which it knows only by its answers."""
