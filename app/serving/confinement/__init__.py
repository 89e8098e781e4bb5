"""What confines programs on this machine, as `gradroom sandbox check` shows it, and the option to confine none. app.cli calls it."""
