"""Makes signatures short. They have names and defaults, but no types, which are often longer than the rest."""

import inspect
from typing import Any

SIMPLE_RESULTS = {"Tensor", "bool", "int", "float", "str", "None", "Module"}
DEFAULT_CHARACTERS = 40


def inspect_signature(value: Any, *, method: bool = False) -> tuple[str, ...]:
    """Return the one signature that Python knows of a callable, or an empty tuple. A method's has no `self` or `cls`."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ()
    parameters = [shorten(parameter) for parameter in signature.parameters.values()]
    if method and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    text = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    return (text + result_of(signature),)


class Verbatim:
    """Stands for a default value in a signature, which then shows `text`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def shorten(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return the parameter without its type. Its default is shortened if it is long or has an address in memory."""
    if parameter.default is not parameter.empty:
        text = repr(parameter.default)
        if " at 0x" in text or text.startswith("<") or len(text) > DEFAULT_CHARACTERS:
            text = getattr(parameter.default, "__name__", "…")
        parameter = parameter.replace(default=Verbatim(text))
    return parameter.replace(annotation=parameter.empty)


def result_of(signature: inspect.Signature) -> str:
    """Return the end of a signature, such as " -> Tensor"; "" if the result has no simple type."""
    returned = signature.return_annotation
    name = returned if isinstance(returned, str) else getattr(returned, "__name__", "None" if returned is None else "")
    name = name.rpartition(".")[2]
    return f" -> {name}" if name in SIMPLE_RESULTS and name != "None" else ""
