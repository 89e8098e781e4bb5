"""Why a gradient is wrong and in which line: from the gradients themselves, and by the change of the source that makes them right."""
