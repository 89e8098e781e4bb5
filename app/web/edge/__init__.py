"""What every request passes through before and after its route: log, security headers, faults, errors as answers."""
