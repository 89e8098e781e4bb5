"""The machines of a cluster: what stands on each of them, and the commands that start it. Only this package imports Ray, an extra."""
