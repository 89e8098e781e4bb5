"""What every request passes through besides its route: the log, security headers, and the answers to errors."""
