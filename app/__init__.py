"""Gradroom: a web app in which people learn PyTorch's autograd by running programs.

Two long-lived processes, which app.serving starts: `web` answers browsers (app.main, app.web and what is below it), `runner` executes
programs (app.runner). The runner has zygotes, the children that they fork (app.sandbox, app.runtimes) and a layout process. All share
app.protocol. What runs in the browser is in static/js.
"""
