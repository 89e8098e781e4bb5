"""Starts and supervises the processes of a server, and carries out the commands for operators."""
