"""The words of a server stay words: nothing of it becomes code."""

import ast
import builtins
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpfusion_client.codegen import generate, read_contract
from mcpfusion_client.model import JsonObject, JsonValue
from tests.codegen.making import at_work, loaded, made, tool

PLANTED = "planted_by_the_server"
ATTACKS = [
    f'"""\nimport builtins; builtins.{PLANTED} = 1\n"""',
    f"'''\nimport builtins; builtins.{PLANTED} = 1\n'''",
    f'\\"""\nbuiltins.{PLANTED} = 1',
    f'"\nimport builtins; builtins.{PLANTED} = 1\n"',
    f"'); __import__('builtins').{PLANTED} = 1; ('",
    f'"); __import__("builtins").{PLANTED} = 1; ("',
    f"{{__import__('builtins').{PLANTED}}}",
    f"]; __import__('builtins').{PLANTED} = 1; x: list[str",
    f"x\r__import__('builtins').{PLANTED} = 1",
    f"x\x0c__import__('builtins').{PLANTED} = 1",
    f"x\u2028__import__('builtins').{PLANTED} = 1",
    f"# -*- coding: utf-7 -*-\nbuiltins.{PLANTED} = 1",
    f">>> import builtins; builtins.{PLANTED} = 1",
    "\\",
    '"',
    'ends with a quote"',
    '"""',
    '""""""',
    "ends with a backslash\\",
    "\\N{BELL} \\x41 \\u0041",
    "\x00\x1b[31m\u202e\u2066 \ud800 \ufeff",
    "%s %(x)s {x} {0!r}",
    "# type: ignore",
]


def _everywhere(text: str) -> list[JsonObject]:
    """Return tools with *text* in every place a server can write to."""
    schema: JsonObject = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {
            text: {"type": "string", "description": text, "default": text},
            "choice": {"enum": [text, "a"], "description": text},
            "constant": {"const": text},
            "nested": {
                "type": "object",
                "description": text,
                "properties": {
                    text: {"$ref": f"#/$defs/{text}"},
                    "b": {"enum": [text]},
                },
                "required": [text],
            },
            "pattern": {"type": "string", "pattern": text, "format": text},
            "odd": {"type": text},
            "ref": {"$ref": text},
        },
        "required": [text],
        "$defs": {
            text: {"type": "object", "description": text, "properties": {text: {}}},
            "customTypePath": {"customTypePath": text, "x-python-import": text},
        },
        "customBasePath": text,
        "x-python-type": text,
    }
    annotations = {"title": text, "readOnlyHint": True, text: True}
    every = {
        "title": text,
        "description": text,
        "inputSchema": schema,
        "outputSchema": schema,
        "annotations": annotations,
    }
    return [
        {**every, "name": text},
        {**every, "name": f"billing.{text}"},
        {**every, "name": f"billing_{text}"},
        {
            **every,
            "name": "grouped",
            "inputSchema": {
                "properties": {
                    "action": {"enum": [text, "list"]},
                    "a": {"description": f"{text}. Required for: list"},
                },
                "required": ["action"],
            },
        },
    ]


ALLOWED_CALLS = {"Contract", "TypedDict", "_call"}


def _calls(module: ast.Module) -> Iterator[str]:
    """Yield the names of everything the module would call."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Attribute):
                yield called.attr
            else:
                assert isinstance(called, ast.Name)
                yield called.id


def _statements(module: ast.Module) -> set[type[ast.stmt]]:
    return {type(statement) for statement in module.body}


def _assert_harmless(source: str) -> None:
    module = ast.parse(source)
    assert _statements(module) <= {
        ast.Expr,
        ast.Import,
        ast.ImportFrom,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
    }
    expressions = [each for each in module.body if isinstance(each, ast.Expr)]
    assert len(expressions) == 1
    imported = {
        each.module for each in module.body if isinstance(each, ast.ImportFrom)
    } | {
        name.name
        for each in module.body
        if isinstance(each, ast.Import)
        for name in each.names
    }
    assert imported <= {"typing", "builtins", "mcpfusion_client.router"}
    for called in _calls(module):
        assert (
            called in ALLOWED_CALLS
            or called.endswith(("Namespace",))
            or ("Namespace_" in called)
        )
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute):
            assert isinstance(node.value, ast.Name)
            assert node.value.id in {"self", "builtins"}


@pytest.mark.parametrize("text", ATTACKS)
def test_hostile_text_everywhere_stays_text(text: str, tmp_path: Path) -> None:
    """Names, descriptions, titles, literals, defaults, references, formats."""
    source = generate(_everywhere(text)).source

    _assert_harmless(source)
    loaded(source, tmp_path)
    assert not hasattr(builtins, PLANTED)
    for line in source.splitlines():
        assert not line.lstrip().startswith(">>>")


@pytest.mark.parametrize("text", ATTACKS)
async def test_hostile_names_still_reach_their_tool(text: str, tmp_path: Path) -> None:
    """What is sent is what the server called it."""
    listed = tool("probe", {text: {"enum": [text]}}, [text])
    router, client = at_work(tmp_path, listed)
    (name,) = [*inspect.signature(router.probe).parameters]

    await router.probe(**{name: text})

    assert client.calls == [("probe", {text: text})]


@pytest.mark.parametrize("text", ATTACKS)
def test_hostile_text_comes_back_from_the_contract(text: str) -> None:
    """What is read back is what was listed; reading it runs nothing."""
    listed = _everywhere(text)

    contract = read_contract(generate(listed).source)

    assert set(contract.tools) == {each["name"] for each in listed}


def test_docstrings_hold_no_control_or_direction_characters() -> None:
    """Nothing reorders what a reviewer sees."""
    source = made(tool("t", description="a\u202eb\u2066c\x1b[0m\x00d")).source

    assert not set("\u202e\u2066\x1b\x00") & set(source)


def test_a_directive_in_a_description_is_none() -> None:
    """A documentation builder would otherwise include files."""
    source = made(tool("t", description="A.\n\n.. include:: /etc/passwd")).source

    assert ".. include" not in source


TEXT = st.text(
    st.sampled_from("\"'\\\n\r\t {}[]()#:;=.`>ab\u2028\u202e\x00\x0c%$\ud800")
    | st.characters(),
    max_size=30,
)


@settings(max_examples=settings().max_examples // 2)
@given(TEXT)
def test_any_text_everywhere_stays_text(text: str) -> None:
    """The property behind the examples."""
    source = generate([each for each in _everywhere(text) if each["name"]]).source

    _assert_harmless(source)
    exec(compile(source, "made", "exec"), {"__name__": "made"})  # noqa: S102 - the test


@settings(max_examples=settings().max_examples // 2)
@given(
    st.recursive(
        TEXT | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3)
    )
)
def test_any_default_stays_a_default(value: JsonValue) -> None:
    """It is shown, and never sent or evaluated."""
    source = made(tool("t", {"a": {"default": value}})).source

    _assert_harmless(source)
    assert "a: Any | Unset = UNSET" in source
