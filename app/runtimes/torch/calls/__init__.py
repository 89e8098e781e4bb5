"""Calls of functions in the other child of a submission: `remote_graph` and `proxy` ask, `call_server` and `learner_server` answer."""
