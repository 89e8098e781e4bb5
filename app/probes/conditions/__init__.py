"""Conditions that a backward has to meet in addition to returning the right gradient. Each module probes one."""
