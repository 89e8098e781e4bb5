"""Why a gradient is wrong and in which line: from the gradients themselves, and by the change of the source that makes them right."""

from app.probes.causes.changed_tensors import find_changed_tensor
from app.probes.causes.find_fault import find_fault, find_faults
from app.probes.causes.lower_precision import find_lower_precision

__all__ = ["find_changed_tensor", "find_fault", "find_faults", "find_lower_precision"]
