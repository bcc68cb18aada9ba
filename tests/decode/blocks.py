"""Failed results with JSON in one place or another."""

from datetime import UTC, datetime

from mcpfusion_client.decode import decode
from mcpfusion_client.model import (
    ErrorInfo,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def structured(value: object, text: str = "failed") -> ErrorInfo:
    """Decode a failure with structured content."""
    info = decode(
        {
            "isError": True,
            "content": [{"type": "text", "text": text}],
            "structuredContent": value,
        },
        received_at=NOW,
    )
    assert info is not None
    return info


def in_text(text: str, *more: str) -> ErrorInfo:
    """Decode a failure told in text blocks."""
    content = [{"type": "text", "text": one} for one in (text, *more)]
    info = decode({"isError": True, "content": content}, received_at=NOW)
    assert info is not None
    return info


def text_of(text: str) -> dict[str, object]:
    """Return a content of one text."""
    return {"content": [{"type": "text", "text": text}]}
