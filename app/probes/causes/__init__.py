"""Finds why a gradient is wrong and in which line: from the gradients themselves, and by changes of the source that make them right."""
