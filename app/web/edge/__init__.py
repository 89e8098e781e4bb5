"""Handles every request around its route: the log, security headers, and the answers to errors."""
