"""Makes signatures short: names and defaults, without the types, which are often longer than all the rest."""

import inspect
from typing import Any

SIMPLE_RESULTS = {"Tensor", "bool", "int", "float", "str", "None", "Module"}
DEFAULT_CHARACTERS = 40


def inspect_signature(value: Any, *, method: bool = False) -> tuple[str, ...]:
    """Return the signature of a callable as Python knows it, or nothing; that of a method has no `self`."""
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
    """A default value that is shown as this text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def shorten(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return the parameter without its type, and with a default that is short and the same in every process."""
    if parameter.default is not parameter.empty:
        text = repr(parameter.default)
        if " at 0x" in text or text.startswith("<") or len(text) > DEFAULT_CHARACTERS:
            text = getattr(parameter.default, "__name__", "…")
        parameter = parameter.replace(default=Verbatim(text))
    return parameter.replace(annotation=parameter.empty)


def result_of(signature: inspect.Signature) -> str:
    """Return the type of the result if that is one word."""
    returned = signature.return_annotation
    name = returned if isinstance(returned, str) else getattr(returned, "__name__", "None" if returned is None else "")
    name = name.rpartition(".")[2]
    return f" -> {name}" if name in SIMPLE_RESULTS and name != "None" else ""
