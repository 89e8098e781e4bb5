"""The runner process: takes orders from web over a Unix socket and executes them in sandbox children."""
