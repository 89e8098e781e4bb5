"""The backward passes of a program and their steps, observed by hooks on the nodes. Runs in the child."""
