"""The queue of runs: which run gets a place next, which is paused for it, and how much memory each is promised.

app.runner.supervisor and app.runner.runs may use it, through `RunQueue` and `Ticket`.
"""
