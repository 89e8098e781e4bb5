"""How a command ends that cannot do its work until something is changed: with a message, and with the exit status 2."""

REFUSED_STATUS = 2  # `gradroom serve` does not start a process again that ended with it


class CommandRefused(Exception):
    """A command cannot do its work. The message says why, and what to change."""
