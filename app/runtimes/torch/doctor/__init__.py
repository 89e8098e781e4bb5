"""Says in a second run what is wrong with a program's Functions: from its source, its trace and the probes. Runs in the child.

docs/decisions/0050-the-doctor.md. Only app.runtimes.torch.instruments.doctor_instrument imports it.
"""
