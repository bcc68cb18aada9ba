"""Read which arguments a server rejected: lists of issues, as JSON or as text."""

from mcpfusion_client.model import FieldError, JsonValue


def from_json(value: JsonValue, *, key: str) -> tuple[FieldError, ...]:
    """Return the fields a JSON issue list names."""
    return ()
