"""Attribute paths as actions: ``client.proxy.billing.get_invoice(id="inv_1")``."""

from collections.abc import Callable
from typing import Generic, TypeVar

from mcpfusion_client.model import JsonObject, JsonValue

Answer_co = TypeVar("Answer_co", covariant=True)


class Proxy(Generic[Answer_co]):
    """An action path that grows with every attribute and is called at its end.

    Names that are no Python names, or start with an underscore, are reached with
    brackets: ``client.proxy["my-tool"](id=1)``.
    """

    __slots__ = ("_execute", "_path")

    def __init__(
        self, execute: Callable[[str, JsonObject], Answer_co], path: str = ""
    ) -> None:
        """Start a path.

        Args:
            execute: Called with the whole path and the arguments.
            path: What the path starts with.
        """
        self._execute = execute
        self._path = path

    def __getattr__(self, name: str) -> "Proxy[Answer_co]":
        """Return the path one step further."""
        # Python itself asks objects for such names; they are no actions.
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> "Proxy[Answer_co]":
        """Return the path one step further, whatever the step is called."""
        path = f"{self._path}.{name}" if self._path else name
        return Proxy(self._execute, path)

    def __call__(
        self, arguments: JsonObject | None = None, /, **named: JsonValue
    ) -> Answer_co:
        """Execute the action.

        Args:
            arguments: Arguments whose names are no Python names.
            named: Arguments by name; they beat *arguments*.

        Raises:
            TypeError: The path is empty.
        """
        if not self._path:
            msg = "an action is missing: client.proxy.billing.get_invoice(...)"
            raise TypeError(msg)
        return self._execute(self._path, {**(arguments or {}), **named})

    def __repr__(self) -> str:
        return f"<proxy of {self._path or 'every action'}>"
