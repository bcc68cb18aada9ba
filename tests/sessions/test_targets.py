"""What a client may be given, and what it says about anything else."""

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import mcp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.sessions import ConnectOptions, connect
from mcpfusion_client.sessions.targets import ACCEPTED, Kind, recognise


class Calls:
    """The smallest target there is."""

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
        """Return an empty result."""
        return {"content": []}


class CallsAtOnce:
    """Looks like a target, but cannot be awaited."""

    def call_tool(self, name: str, arguments: dict[str, Any]) -> object:
        """Return an empty result."""
        return {"content": []}


@contextlib.asynccontextmanager
async def some_transport() -> AsyncGenerator[tuple[object, object], None]:
    """Yield what is no stream; nobody enters it here."""
    yield object(), object()


PARAMETERS = mcp.StdioServerParameters(command="python", args=["server.py"])


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("http://127.0.0.1:1/mcp", Kind.URL),
        ("HTTPS://EXAMPLE.COM/mcp", Kind.URL),
        (["python", "server.py"], Kind.COMMAND),
        (("python",), Kind.COMMAND),
        (PARAMETERS, Kind.STDIO),
        (Calls(), Kind.OBJECT),
        (some_transport(), Kind.TRANSPORT),
    ],
)
def test_each_kind_of_target_is_recognised(target: object, kind: Kind) -> None:
    """The kind decides who owns the session."""
    assert recognise(target) is kind


@pytest.mark.parametrize(
    "target",
    [
        None,
        7,
        "",
        "server.py",
        [],
        [""],
        ["python", 3],
        object(),
        Calls,
        CallsAtOnce(),
        b"x",
    ],
)
def test_anything_else_is_a_type_error_that_lists_what_is_accepted(
    target: object,
) -> None:
    """A class instead of an object and a function that cannot be awaited, too."""
    with pytest.raises(TypeError) as caught:
        connect(target, ConnectOptions())

    assert ACCEPTED in str(caught.value)


@given(st.from_regex(r"[0-9]{12,40}", fullmatch=True))
def test_the_error_never_repeats_the_target(secret: str) -> None:
    """A mistyped URL may hold a password."""
    with pytest.raises(TypeError) as caught:
        recognise(f"htp://user:{secret}@host/")

    assert secret not in str(caught.value)


def test_an_extension_that_changes_results_is_refused_at_once() -> None:
    """Its results would be no tool results, after the tool has run."""

    class Claims:
        def claims(self) -> list[str]:
            return ["task"]

    with pytest.raises(TypeError):
        ConnectOptions(callbacks={"extensions": [Claims()]})
