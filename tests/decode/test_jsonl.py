"""What a line of input is taken for."""

import pytest

from mcpfusion_client.decode.jsonl import has_form
from mcpfusion_client.model import JsonValue


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ({"content": []}, True),
        ({"result": {"isError": True}}, True),
        ({"result": {"rows": []}}, False),
        ({"result": "done"}, False),
        ({"protocol_error": {"code": -32603}}, True),
        ({"http": {"status": 500}}, True),
        ({"raw": '{"content": []}'}, True),
        ({"raw": "[]"}, False),
        ({"rows": []}, False),
        ([], False),
        ("text", False),
    ],
)
def test_a_line_is_known_by_the_keys_of_a_result(
    line: JsonValue, *, known: bool
) -> None:
    """What has none of them is a success, and a person may have meant otherwise."""
    assert has_form(line) is known
