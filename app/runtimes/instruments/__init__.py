"""Observes a program from inside, whatever its framework. Frameworks extend these instruments in packages of their own."""
