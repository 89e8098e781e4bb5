"""Calls of functions in the other child of a submission, most often from the grader's child to the learner's.

`remote_graph` and `proxy` run where the question is asked, `call_server` and `learner_server` where it is answered.
"""
