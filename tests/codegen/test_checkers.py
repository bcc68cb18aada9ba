"""Generated code passes the strict checkers, and lets them find mistakes."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from mcpfusion_client.codegen import generate
from tests.codegen.making import HERE, SERVERS, listed_by, loaded, run

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


def mypy(folder: Path) -> list[tuple[str, int, str]]:
    """Return the file, line and code of every error in *folder*."""
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


def pyright(folder: Path) -> list[tuple[str, int, str]]:
    """Return the file, line and rule of every error in *folder*."""
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


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of all recorded servers, imported once each."""
    folder = tmp_path_factory.mktemp("servers")
    for server in SERVERS:
        generated = generate(listed_by(server))
        assert generated.warnings == (), server.stem
        name = server.stem.replace("-", "_")
        assert loaded(generated.source, folder, name).AppRouter
    return folder


def test_there_are_enough_servers() -> None:
    """Written by many hands, in two languages."""
    assert len(SERVERS) >= 10


def test_the_modules_of_public_servers_pass_mypy_strict(servers: Path) -> None:
    """Without a single error."""
    assert mypy(servers) == []


def test_the_modules_of_public_servers_pass_pyright_strict(servers: Path) -> None:
    """Without a single error."""
    assert pyright(servers) == []


@pytest.mark.skipif(
    importlib.util.find_spec("ruff") is None, reason="needs the formatter"
)
def test_the_modules_of_public_servers_are_formatted(servers: Path) -> None:
    """A formatter in a pre-commit hook must not fight the generator."""
    done = run("ruff", "format", "--isolated", "--check", servers, folder=servers)

    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def uses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that uses the example router well, and one that does not."""
    folder = tmp_path_factory.mktemp("uses")
    example = (HERE / "example_router.py").read_text("utf-8")
    (folder / "example_router.py").write_text(example, encoding="utf-8")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(WRONG)
    return folder


def test_mypy_finds_each_mistake_and_nothing_else(uses: Path) -> None:
    """A wrong tool, argument, type, action or result field, and no false alarm."""
    found: dict[int, set[str]] = {}
    for name, line, code in mypy(uses):
        assert name == "wrong.py", (name, line, code)
        found.setdefault(line, set()).add(code)

    assert found == MYPY


def test_pyright_finds_each_mistake_and_nothing_else(uses: Path) -> None:
    """The same mistakes, by the other checker."""
    found: dict[int, set[str]] = {}
    for name, line, rule in pyright(uses):
        assert name == "wrong.py", (name, line, rule)
        if rule not in CONSEQUENCES:
            found.setdefault(line, set()).add(rule)

    assert found == PYRIGHT
