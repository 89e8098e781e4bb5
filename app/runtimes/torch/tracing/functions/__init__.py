"""The calls of learners' Functions: what they saved, and which paths they lack. Runs in the child."""
