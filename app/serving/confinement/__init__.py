"""The command `gradroom sandbox check`, and the option to run programs without a sandbox. app.cli calls this package."""
