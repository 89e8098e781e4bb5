"""The translations of all messages."""
