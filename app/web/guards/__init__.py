"""Recognizes learners, and limits how often they send requests, over how many connections, and how much they store.

A request passes `connections` and `request_turns` before it reaches the app, then app.web.edge and `sessions`, and at its route `access`
and `rates`. app.serving, app.main and the rest of app.web call this package.
"""
