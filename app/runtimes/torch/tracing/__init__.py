"""Observes a second run, which the page requests after the first: the line of each node, the calls of Functions, the steps of passes.

Runs in the child. Only app.runtimes.torch.instruments.trace_instrument imports it.
"""
