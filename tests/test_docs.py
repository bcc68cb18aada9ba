"""The documentation names what exists, and all of it that is public."""

import builtins
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mcpfusion_client

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*/*.md"))]
ROOMS = (
    "mcpfusion_client",
    "mcpfusion_client.codegen",
    "mcpfusion_client.codegen.drift",
    "mcpfusion_client.integrations.opentelemetry",
    "mcpfusion_client.integrations.redis",
    "mcpfusion_client.integrations.scripted_server",
    "mcpfusion_client.retry",
    "mcpfusion_client.router",
    "mcpfusion_client.testing",
    "mcpfusion_client.testing.fixtures",
)
"""Where a name on a page may come from."""

REFERENCED = (
    "mcpfusion_client",
    "mcpfusion_client.codegen",
    "mcpfusion_client.integrations.opentelemetry",
    "mcpfusion_client.integrations.redis",
    "mcpfusion_client.integrations.scripted_server",
    "mcpfusion_client.router",
    "mcpfusion_client.testing",
    "mcpfusion_client.testing.fixtures",
)
"""Every public name of these has an entry in the reference."""

OTHERS = frozenset(
    {
        *("CallToolResult", "ClientSession", "FastMCP", "HTTPStatusError"),
        *("MCPServer", "StdioServerParameters", "TypedDict"),
        *("FusionClientError", "InferRouter", "ToolResponse"),  # in TypeScript
        *("AppRouter", "LedgerClosed", "NoSuchBucket"),
    }
)
"""Names of other packages, of what servers send, and of what is generated."""

SERVERS_WORDS = ROOT / "docs" / "reference" / "dialects.md"
"""Written from the decoder's tables: its names are those of servers."""

LOGGERS = frozenset({"mcpfusion_client.calls"})

FENCE = re.compile(r"^(`{3,}|:{3,}).*?^\1`*:*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
DIRECTIVE = re.compile(
    r"^\.\. (?:auto\w+|py:function):: ([\w.]+).*((?:\n   +\S.*|\n(?=\n   +:))*)",
    re.MULTILINE,
)
MEMBERS = re.compile(r":members: (.+)")
CAMEL = re.compile(r"(?:[A-Z]{2,3})?(?:[A-Z][a-z]+){2,}")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def _documented() -> Iterator[str]:
    """Dotted names that the reference has an entry for."""
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        for target, options in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            yield target
            members = MEMBERS.search(options)
            for member in members[1].split(",") if members else ():
                yield f"{target}.{member.strip()}"


def _public_of(module: ModuleType) -> set[str]:
    """What the module lists, else the classes and functions that it defines."""
    listed = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
    ]
    return {name for name in listed if not name.startswith("_")}


@cache
def _public() -> dict[str, object]:
    """Public names of every room; the first room that has one wins."""
    found: dict[str, object] = {}
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in _public_of(module):
            found.setdefault(name, getattr(module, name))
    return found


def _resolve(dotted: str) -> object:
    """Return what *dotted* names, importing modules on the way."""
    name, *rest = dotted.split(".")
    value: object = importlib.import_module(name)
    for step in rest:
        name = f"{name}.{step}"
        try:
            value = getattr(value, step)
        except AttributeError:
            value = importlib.import_module(name)
    return value


@pytest.mark.parametrize("room", REFERENCED)
def test_the_reference_has_an_entry_for_every_public_name(room: str) -> None:
    """Whoever sees a name in an editor finds it in the reference."""
    module = importlib.import_module(room)
    public = _public_of(module)

    found = {
        name
        for dotted in _documented()
        if (name := dotted.rpartition(".")[2]) in public
        and _resolve(dotted) is getattr(module, name)
    }

    assert public - found == set()


def test_every_entry_of_the_reference_exists() -> None:
    """A renamed class is renamed in the reference too."""
    entries = list(_documented())

    assert len(entries) > len(mcpfusion_client.__all__)
    for dotted in entries:
        _resolve(dotted)


def _spans(page: Path) -> list[str]:
    """Words in code type, outside of blocks."""
    return SPAN.findall(FENCE.sub("", page.read_text(encoding="utf-8")))


def _missing(span: str) -> str | None:
    """Return the name in *span* that ought to be ours and is not."""
    if span in LOGGERS:
        return None
    if span.startswith("mcpfusion_client"):
        return _unresolved(span)
    path = re.match(r"([A-Za-z_][\w.]*)(?:\(|$)", span)
    if path is None:
        return None
    first, *rest = path[1].split(".")
    if first in OTHERS or hasattr(builtins, first):
        return None
    value = _public().get(first)
    if value is None:
        return first if CAMEL.fullmatch(first) else None
    return span if rest and not _has(value, rest[0]) else None


def _unresolved(span: str) -> str | None:
    path = re.match(r"[\w.]+", span)
    if path is None or span.startswith("mcpfusion_client["):
        return None
    try:
        _resolve(path[0])
    except (AttributeError, ImportError):
        return span
    return None


def _has(value: object, name: str) -> bool:
    """Has *value*, a class or module, an attribute, a field or a parameter *name*?"""
    if hasattr(value, name):
        return True
    fields = getattr(value, "__attrs_attrs__", ())
    return name in {field.name for field in fields} | set(_hints(value))


def _hints(value: object) -> dict[str, object]:
    return getattr(value, "__annotations__", {}) if inspect.isclass(value) else {}


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page != SERVERS_WORDS], ids=_name
)
def test_names_in_code_type_are_spelled_as_in_the_code(page: Path) -> None:
    """A class, method or module that a page speaks of is there under that name."""
    assert [span for span in _spans(page) if _missing(span)] == []


def test_a_wrong_name_would_be_found() -> None:
    """The check itself: it knows a wrong class, attribute and module."""
    wrong = ("RateLimitError", "ErrorInfo.retry_afer", "mcpfusion_client.tests.x")

    assert [_missing(name) is not None for name in wrong] == [True, True, True]
    assert _missing("ErrorInfo.retry_after") is None
    assert _missing("RetryPolicy.for_tools(...)") is None


OPTION = re.compile(r"([a-z][a-z_]+)=(?!=).*")


@cache
def _options() -> frozenset[str]:
    """Names of parameters and fields of whatever is public."""
    found = set(mcpfusion_client.ErrorInfo.__annotations__)
    for value in _public().values():
        for member in (value, *getattr(value, "__dict__", {}).values()):
            found |= _parameters(getattr(member, "__func__", member))
    return frozenset(found | _session_options())


def _parameters(function: Any) -> set[str]:
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return set()


def _session_options() -> frozenset[str]:
    options = importlib.import_module("mcpfusion_client.sessions.options")
    return frozenset(options.CALLBACKS)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_options_in_code_type_are_parameters_of_something_public(page: Path) -> None:
    """``retry=`` on a page is an option somewhere, under that name."""
    named = [match for span in _spans(page) if (match := OPTION.fullmatch(span))]

    assert [each[0] for each in named if each[1] not in _options()] == []


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """The README is no part of the site, so the site's own check leaves it out."""
    targets = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    files = [each.partition("#")[0] for each in targets if "://" not in each]

    assert [each for each in files if each and not (page.parent / each).exists()] == []


TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")


def test_the_tests_that_hold_a_promise_exist() -> None:
    """A page that names a test names one that runs."""
    named = [match for page in PAGES for match in TEST.findall(page.read_text("utf-8"))]

    assert named
    for file, name in named:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE), name


def test_contributing_is_short_and_names_the_checks_there_are() -> None:
    """A long list of rules is not read, and a wrong command is worse than none."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    sessions = re.findall(
        r"^@nox\.session.*?^def (\w+)",
        (ROOT / "noxfile.py").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )

    assert len(text.splitlines()) <= 60
    assert sessions
    assert [name for name in sessions if f"`{name}`" not in text] == []
