"""Turns a request for a run or a submission into an order for the runner, and the runner's events into an answer as they arrive.

A run stores nothing: pages report with `POST /api/me/work` what was done. app.web.api.submissions and app.web.api.predict store theirs.
"""
