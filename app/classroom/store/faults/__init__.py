"""The exceptions for faults of the store, which its callers may catch, and the log and counts of these faults."""
