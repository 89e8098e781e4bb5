"""Observes the second run of a program: the line of each node, the calls of custom Functions, the steps of each backward pass.

Runs in the child. Only app.runtimes.torch.instruments.trace_instrument imports it.
"""
