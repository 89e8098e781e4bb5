"""What every request passes through before and after its route: the log, security headers, and errors as answers."""
