"""Generated code passes the strict checkers, and lets them find mistakes."""

import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import TypeAlias

import pytest

from mcpfusion_client.codegen import generate
from tests.codegen.making import HERE, SERVERS, listed_by, loaded, made, run, tool

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None
    or importlib.util.find_spec("pyright") is None,
    reason="needs mypy and pyright",
)

RIGHT = """\
from typing import assert_type

from example_router import AppRouter, BillingGetInvoiceOutput, Line, SyncAppRouter
from mcpfusion_client import MCPFusionClient, SyncMCPFusionClient, ToolResult


async def right(client: MCPFusionClient) -> None:
    router = client.router(AppRouter)
    result = await router.billing.get_invoice(id="1", expand=["lines"])
    assert_type(result, ToolResult[BillingGetInvoiceOutput])
    assert_type(result.data["total"], float)
    assert_type(result.data.get("lines", []), list[Line])
    await router.billing.pay(id="1", method={"card": "x", "3d-secure": True}, note=None)
    await router.with_options(timeout=3.0, retry=False).users.invite(email="a@b.c")
    assert_type(await router.ping(), ToolResult)


def also_right(client: SyncMCPFusionClient) -> None:
    router = client.router(AppRouter)
    assert_type(router, SyncAppRouter)
    assert_type(client.router(SyncAppRouter), SyncAppRouter)
    assert_type(router.billing.get_invoice(id="1").data["id"], str)
"""

WRONG = """\
from example_router import AppRouter
from mcpfusion_client import MCPFusionClient, SyncMCPFusionClient


async def wrong(client: MCPFusionClient) -> None:
    router = client.router(AppRouter)
    await router.billing.get_invoise(id="1")
    await router.biling.get_invoice(id="1")
    await router.billing.get_invoice()
    await router.billing.get_invoice(id="1", expnd=[])
    await router.billing.get_invoice(id=1)
    await router.billing.get_invoice(id="1", expand=["line"])
    await router.billing.get_invoice("1")
    await router.billing.pay(id="1", method={"number": "x"})
    result = await router.billing.get_invoice(id="1")
    result.data["totl"]
    len(result.data["total"])
    await router.users.remove(email="a@b.c")
    await router.users.invite()


def also_wrong(client: SyncMCPFusionClient) -> None:
    client.router(AppRouter).billing.get_invoice(id=3)
"""

MYPY = {
    7: {"attr-defined"},
    8: {"attr-defined"},
    9: {"call-arg"},
    10: {"call-arg"},
    11: {"arg-type"},
    12: {"list-item"},
    13: {"call-arg"},
    14: {"typeddict-item", "typeddict-unknown-key"},
    16: {"typeddict-item"},
    17: {"arg-type"},
    18: {"attr-defined"},
    19: {"call-arg"},
    23: {"arg-type"},
}
PYRIGHT = {
    7: {"reportAttributeAccessIssue"},
    8: {"reportAttributeAccessIssue"},
    9: {"reportCallIssue"},
    10: {"reportCallIssue"},
    11: {"reportArgumentType"},
    12: {"reportArgumentType"},
    13: {"reportCallIssue"},
    14: {"reportArgumentType"},
    16: {"reportGeneralTypeIssues"},
    17: {"reportArgumentType"},
    18: {"reportAttributeAccessIssue"},
    19: {"reportCallIssue"},
    23: {"reportArgumentType"},
}
# What follows from an attribute that is not there.
CONSEQUENCES = {
    "reportUnknownMemberType",
    "reportUnknownVariableType",
    "reportUnknownArgumentType",
    "reportUnusedExpression",
}


Found: TypeAlias = list[tuple[str, int, str]]
"""The file, the line and the code of every error."""


def mypy(folder: Path) -> Found:
    """Run mypy over *folder*."""
    done = run(
        "mypy",
        "--strict",
        "--python-version=3.11",
        "--follow-imports=silent",
        "--cache-dir",
        folder / ".mypy",
        *sorted(folder.glob("*.py")),
        folder=folder,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    found = re.findall(
        r"^(.+?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE
    )
    return [(Path(name).name, int(line), code) for name, line, code in found]


def pyright(folder: Path) -> Found:
    """Run pyright over *folder*."""
    settings = {
        "include": ["."],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run(
        "pyright",
        "--outputjson",
        "--pythonpath",
        sys.executable,
        "--project",
        folder,
        folder=folder,
    )
    return [
        (
            Path(each["file"]).name,
            each["range"]["start"]["line"] + 1,
            each.get("rule", "no rule"),
        )
        for each in json.loads(done.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    ]


UNTYPABLE = tool(
    "odd",
    {
        "given": {"type": "text"},
        "many": {"type": "array", "items": 3},
        "inside": {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}},
    },
    ["given"],
    outputSchema={"type": "object", "properties": {"found": {"enum": "x"}}},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of all recorded servers, and programs that use the example router.

    One folder for all, since a type checker spends its time on starting.
    """
    folder = tmp_path_factory.mktemp("checked")
    for server in SERVERS:
        generated = generate(listed_by(server))
        assert generated.warnings == (), server.stem
        name = f"server_{server.stem.replace('-', '_')}"
        assert loaded(generated.source, folder, name).AppRouter
    odd = made(UNTYPABLE)
    assert len(odd.warnings) == 4
    assert loaded(odd.source, folder, "untypable").AppRouter
    example = (HERE / "example_router.py").read_text("utf-8")
    (folder / "example_router.py").write_text(example, encoding="utf-8")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    return folder


@pytest.fixture(scope="module", params=[mypy, pyright], ids=["mypy", "pyright"])
def checked(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Found]:
    """What each checker says, in its strict mode."""
    return request.param.__name__, request.param(folder)


def test_there_are_enough_servers() -> None:
    """Written by many hands, in two languages."""
    assert len(SERVERS) >= 10


def test_generated_modules_and_right_uses_pass_the_strict_checkers(
    checked: tuple[str, Found],
) -> None:
    """Public servers, schemas that cannot be typed, and code that uses a router."""
    _, found = checked

    assert [error for error in found if error[0] != "wrong.py"] == []


def test_each_mistake_is_found_and_nothing_else(checked: tuple[str, Found]) -> None:
    """A wrong tool, argument, type, action or result field, by either checker."""
    name, errors = checked
    found: dict[int, set[str]] = {}
    for file, line, code in errors:
        if file == "wrong.py" and code not in CONSEQUENCES:
            found.setdefault(line, set()).add(code)

    assert found == {"mypy": MYPY, "pyright": PYRIGHT}[name]


@pytest.mark.skipif(
    importlib.util.find_spec("ruff") is None, reason="needs the formatter"
)
def test_generated_modules_are_formatted(folder: Path) -> None:
    """A formatter in a pre-commit hook must not fight the generator."""
    modules = sorted(folder.glob("server_*.py"))

    done = run(
        "ruff",
        "format",
        "--isolated",
        "--check",
        "untypable.py",
        *modules,
        folder=folder,
    )

    assert done.returncode == 0, done.stdout
