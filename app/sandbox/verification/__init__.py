"""Whether a child is confined: looked at from outside, and by a program that tries to get out."""
