"""The commands of a browser that a journey needs. W3C's WebDriver has them, in its old form and in the new one (BiDi)."""

from typing import Any, Protocol


class DriverError(Exception):
    """The browser could not carry out a command, for example because a page is just being left."""


class NotOffered(Exception):
    """The browser does not offer this command to a driver."""


class Driver(Protocol):
    name: str
    version: str

    def open(self, address: str) -> None:
        """Open an address. Returns when the page is loaded."""

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, which must be one that JSON can represent. Raises DriverError."""

    def act(self, source: dict[str, Any]) -> None:
        """Press keys or move a pointer: `source` is one input source with its actions, as in WebDriver's performActions."""

    def resize(self, width: int, height: int) -> None:
        """Resize the window, in CSS pixels. The browser's own bars may take a part of the height."""

    def print_pdf(self) -> bytes:
        """Return the page as a PDF. Raises NotOffered."""
