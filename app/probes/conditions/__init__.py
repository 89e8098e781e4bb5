"""Conditions that a backward has to meet beside returning the right gradient. Each module probes one."""
