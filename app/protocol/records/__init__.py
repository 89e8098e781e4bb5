"""The records of a run, one module a kind. docs/records.md describes them."""
