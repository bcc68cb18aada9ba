"""The public names: all there, imported late, and each from one place."""

import ast
import importlib
import importlib.util
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import mcpfusion_client

HEAVY = ("mcp", "httpx", "httpx2", "pydantic", "anyio", "trio", "fastmcp", "redis")


def in_a_new_process(program: str) -> str:
    """Run *program* in an interpreter that has imported nothing yet."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and program
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return done.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    """A program pays for what it uses, when it uses it."""
    program = (
        "import sys, mcpfusion_client; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    assert in_a_new_process(program) == "[]\n"


def test_using_the_client_loads_no_sdk_before_a_connection_is_opened() -> None:
    """The SDK takes longer to import than everything else together."""
    program = (
        "import sys\n"
        "from mcpfusion_client import *\n"
        "MCPFusionClient('https://example.com/mcp')\n"
        "print([n for n in ('mcp', 'httpx', 'httpx2', 'pydantic') if n in sys.modules])"
    )

    assert in_a_new_process(program) == "[]\n"


def test_every_public_name_can_be_imported() -> None:
    """``from mcpfusion_client import *`` works, and `dir` knows what there is."""
    for name in mcpfusion_client.__all__:
        assert getattr(mcpfusion_client, name) is not None
    assert set(mcpfusion_client.__all__) <= set(dir(mcpfusion_client))


def test_an_unknown_name_is_an_attribute_error() -> None:
    """As it is for any module."""
    with pytest.raises(AttributeError):
        getattr(mcpfusion_client, "no_such_name")  # noqa: B009 - mypy knows it too


def test_type_checkers_and_python_see_the_same_names() -> None:
    """The imports for type checkers, the map and ``__all__`` are one list."""
    source = Path(mcpfusion_client.__file__).read_text(encoding="utf-8")
    checked = {
        (alias.name, node.module)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
        if node.module.startswith("mcpfusion_client.") and alias.name[:2] != "__"
    }
    mapped = {
        (name, f"mcpfusion_client.{room}")
        for name, room in mcpfusion_client._ROOMS.items()
    }

    assert checked == mapped
    names = {name for name, _ in mapped} | {"__version__"}
    assert names == set(mcpfusion_client.__all__)
    assert list(mcpfusion_client.__all__) == sorted(names)


def test_every_error_class_is_public() -> None:
    """Whoever catches one must be able to name it."""
    errors = importlib.import_module("mcpfusion_client.errors")
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.MCPFusionClientError)
    }

    assert classes <= set(mcpfusion_client.__all__)


def test_the_function_decode_survives_the_import_of_its_room() -> None:
    """The function and the room have the same name; both ways of use work."""
    program = (
        "import mcpfusion_client.client\n"
        "from mcpfusion_client import decode\n"
        "import mcpfusion_client\n"
        "failed = {'isError': True, 'content': []}\n"
        "print(decode(failed).severity, mcpfusion_client.decode(failed).severity)\n"
        "print(mcpfusion_client.decode.from_http(status=429, headers={}).code)"
    )

    assert in_a_new_process(program) == "error error\nHTTP_429\n"


def test_every_room_says_what_it_is_for() -> None:
    """The first line of a module is its docstring."""
    for module in pkgutil.walk_packages(mcpfusion_client.__path__, "mcpfusion_client."):
        source = importlib.util.find_spec(module.name)
        assert source is not None
        assert source.origin is not None
        tree = ast.parse(Path(source.origin).read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), module.name
