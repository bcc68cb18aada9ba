"""A coverage-guided fuzz run of the decoder, for an hour nobody waits for.

    pip install atheris && python tests/decode/fuzz.py CORPUS -max_total_time=1800

CORPUS is a folder of inputs to start from; new ones are added to it. What is
checked: nothing raises, what is said of an input is bounded and safe to log, and
what was decoded survives its own dictionary.
"""

import importlib
import json
import sys
import time
from typing import Any

atheris: Any = importlib.import_module("atheris")
with atheris.instrument_imports(include=["mcpfusion_client"]):
    from mcpfusion_client.decode import read
    from mcpfusion_client.errors import for_info
    from mcpfusion_client.model import ErrorInfo, JsonValue

_LONGEST = 1.0  # seconds
_FORMS = 6


def _wire(form: int, text: str) -> JsonValue:
    """Return *text* as one of the forms a failure comes in."""
    parsed: JsonValue
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = text
    block: JsonValue = {"type": "text", "text": text}
    forms: tuple[JsonValue, ...] = (
        {"content": [block], "isError": True},
        {"content": [block]},
        {"content": [], "structuredContent": parsed, "isError": True},
        {"protocol_error": {"code": -32603, "message": text, "data": parsed}},
        {"http": {"status": 503, "headers": {"Retry-After": text}, "body": text}},
        parsed,
    )
    return forms[form % _FORMS]


def _check(error: ErrorInfo | None) -> None:
    if error is None:
        return
    line = str(for_info(error))
    assert len(line) <= 300, line
    assert line.isprintable(), line
    error.to_prompt(max_chars=500)
    again = ErrorInfo.from_dict(json.loads(json.dumps(error.to_dict())))
    assert again.code == error.code
    assert again.category is error.category
    assert again.message == error.message


def try_one(raw: bytes) -> None:
    """Decode one input.

    Raises:
        AssertionError: It took too long, or what was said is not safe.
    """
    if not raw:
        return
    wire = _wire(raw[0], raw[1:].decode("utf-8", "replace"))
    started = time.thread_time()  # a loaded machine is not a slow decoder
    found = read(wire, detect_disguised=True)
    took = time.thread_time() - started
    assert took < _LONGEST, took
    for error in (found.error, found.suspected_failure, *found.warnings):
        _check(error)


if __name__ == "__main__":
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()
