"""The exception for a command that cannot do its work until something is changed. It ends the command with a message and the status 2."""

REFUSED_STATUS = 2  # `gradroom serve` does not restart a process that ended with it


class CommandRefused(Exception):
    """A command cannot do its work. The message says why, and what to change."""
