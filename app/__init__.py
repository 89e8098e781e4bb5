"""Gradroom: a web app in which people learn PyTorch's autograd by running programs.

Two processes: `web` answers browsers (app.main, app.web and what is below it), `runner` executes programs (app.runner, app.sandbox,
app.runtimes). They share app.protocol. app.cli and app.serving start both.
"""
