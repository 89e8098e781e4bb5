"""What a journey needs of a browser: W3C's WebDriver has it, in its old form and in the new one (BiDi)."""

from typing import Any, Protocol


class DriverError(Exception):
    """The browser could not do what it was asked, for example because a page is just being left."""


class NotOffered(Exception):
    """The browser has no such command for a driver."""


class Driver(Protocol):
    name: str
    version: str

    def open(self, address: str) -> None:
        """Go there; returns when the page is loaded."""

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, which must be one that JSON can carry. Raises DriverError."""

    def act(self, source: dict[str, Any]) -> None:
        """Keys or a pointer: one input source with its actions, in the words of WebDriver's performActions."""

    def resize(self, width: int, height: int) -> None:
        """In CSS pixels; of the height, some may be the browser's own."""

    def print_pdf(self) -> bytes:
        """The page on paper. Raises NotOffered."""
