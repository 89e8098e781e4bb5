"""Starts and supervises the processes of a server, and the commands for operators."""
