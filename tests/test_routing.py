"""Action paths: which tool they mean, and what a call is called."""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo
from mcpfusion_client.routing import Route, Router, find_discriminator


def grouped(
    name: str, actions: Sequence[str], *, key: str = "action", required: bool = True
) -> ToolInfo:
    """Return a grouped tool as MCP Fusion lists it."""
    return ToolInfo(
        name=name,
        input_schema={
            "type": "object",
            "properties": {
                key: {"type": "string", "enum": list(actions)},
                "id": {"type": "string"},
            },
            "required": [key] if required else [],
        },
    )


def find(path: str, /, *tools: ToolInfo | str, **arguments: str) -> Route | None:
    """Route *path* among *tools*."""
    listed = [ToolInfo(name=t) if isinstance(t, str) else t for t in tools]
    return router(*listed).route(path, {**arguments})


def router(*tools: ToolInfo) -> Router:
    """Return a router over *tools*."""
    return Router({tool.name: tool for tool in tools}, "action")


BILLING = grouped("billing", ["get", "refund.create", "default"])


@pytest.mark.parametrize(
    ("action", "tools", "tool", "sent"),
    [
        ("ping", ["ping"], "ping", {}),
        ("billing.get", ["billing.get", "billing_get"], "billing.get", {}),
        ("billing.get", ["billing_get", BILLING], "billing_get", {}),
        ("platform.users.ban", ["platform_users.ban"], "platform_users.ban", {}),
        ("platform.users.ban", ["platform_users_ban"], "platform_users_ban", {}),
        (
            "platform.users.ban",
            ["platform_users_ban", "platform_users.ban"],
            "platform_users.ban",
            {},
        ),
        ("billing.get", [BILLING], "billing", {"action": "get"}),
        ("billing.refund.create", [BILLING], "billing", {"action": "refund.create"}),
        ("billing.unknown", [BILLING], "billing", {"action": "unknown"}),
        ("billing.get", ["billing"], "billing", {"action": "get"}),
        ("billing", [BILLING], "billing", {"action": "default"}),
        ("crm", [grouped("crm", ["list"])], "crm", {}),
        ("crm.list", [grouped("crm", ["list"], key="op")], "crm", {"op": "list"}),
    ],
)
def test_the_first_listed_spelling_is_taken(
    action: str, tools: Sequence[ToolInfo | str], tool: str, sent: dict[str, str]
) -> None:
    """Exact name, first dot, every dot, grouped: in this order."""
    found = find(action, *tools)

    assert found is not None
    assert (found.tool, found.arguments) == (tool, sent)


@pytest.mark.parametrize("action", ["billing.get", "nobody", "", ".", "a.", ".a"])
def test_what_is_not_listed_has_no_route(action: str) -> None:
    """The caller refreshes the list and asks again."""
    assert find(action, "other") is None


@pytest.mark.parametrize(
    ("action", "tool", "sent"),
    [
        ("billing.get", "billing", {"id": 1, "action": "get"}),
        ("billing.a.b", "billing", {"id": 1, "action": "a.b"}),
        ("ping", "ping", {"id": 1}),
        ("a.", "a.", {"id": 1}),
        (".a", ".a", {"id": 1}),
    ],
)
def test_what_stays_unlisted_is_sent_in_the_grouped_form(
    action: str, tool: str, sent: dict[str, object]
) -> None:
    """The server knows best, and answers with its own error."""
    sending = router().unlisted(action, {"id": 1})

    assert (sending.tool, sending.arguments) == (tool, sent)


def test_the_path_beats_an_argument_of_the_same_name() -> None:
    """Otherwise an argument could turn a read into another action."""
    found = find("billing.get", BILLING, action="refund.create")

    assert found is not None
    assert found.arguments == {"action": "get"}


def test_the_default_action_is_no_answer_to_a_stated_one() -> None:
    """A grouped tool called by its bare name may name its action itself."""
    found = find("billing", BILLING, action="get")

    assert found is not None
    assert (found.arguments, found.action) == ({"action": "get"}, "billing.get")


def test_an_optional_argument_that_knows_default_is_left_alone() -> None:
    """A theme is no discriminator."""
    tool = grouped("render", ["default", "dark"], key="theme", required=False)

    found = find("render", tool)

    assert found is not None
    assert found.arguments == {}


def test_routing_leaves_the_arguments_it_was_given_alone() -> None:
    """The same arguments are routed again after a refresh."""
    arguments: dict[str, Any] = {"id": 1}
    billing = router(BILLING)

    billing.route("billing.get", arguments)
    billing.route("billing", arguments)
    billing.unlisted("x.y", arguments)

    assert arguments == {"id": 1}


def variants(key: str, *actions: str) -> dict[str, Any]:
    """Return a schema with one branch for each action."""
    return {
        "oneOf": [
            {"properties": {key: {"const": action}}, "required": [key]}
            for action in actions
        ]
    }


@pytest.mark.parametrize(
    ("schema", "key"),
    [
        ({}, "action"),
        ({"discriminator": {"propertyName": "kind"}}, "kind"),
        (variants("op", "get", "put"), "op"),
        ({"properties": {"op": {"anyOf": [{"const": "get"}]}}}, "op"),
        (
            {"properties": {"a": {"enum": ["get"]}, "action": {"enum": ["get"]}}},
            "action",
        ),
        (
            {
                "properties": {"a": {"enum": ["get"]}, "b": {"enum": ["get"]}},
                "required": ["b"],
            },
            "b",
        ),
        ({"properties": {"op": {"enum": ["x"]}}, "required": ["op"]}, "op"),
        ({"properties": {"op": {"enum": ["x"]}}}, "action"),
        ({"properties": {"op": {"enum": [1, None]}}, "required": ["op"]}, "action"),
        (
            {
                "properties": {"action": {"type": "string"}, "f": {"enum": ["x"]}},
                "required": ["f"],
            },
            "action",
        ),
    ],
)
def test_the_discriminator_is_found_in_the_schema(
    schema: dict[str, Any], key: str
) -> None:
    """What knows the action, then what the option names, then what is required."""
    assert find_discriminator(schema, "get", "action") == key


@pytest.mark.parametrize(
    ("tool", "arguments", "path"),
    [
        ("ping", {}, "ping"),
        ("billing_get_invoice", {}, "billing.get_invoice"),
        ("platform_users.ban", {}, "platform.users.ban"),
        ("billing.get_invoice", {}, "billing.get_invoice"),
        ("_private", {}, "_private"),
        ("billing", {"action": "get"}, "billing.get"),
        ("billing", {"action": "nonsense"}, "billing.nonsense"),
        ("billing", {"action": 7}, "billing"),
        ("billing", {"action": ""}, "billing"),
        ("billing", {"id": "get"}, "billing"),
        ("crm", {"op": "list"}, "crm.list"),
        ("crm", {"op": "list", "action": "x"}, "crm.list"),
        ("nobody", {"action": "get"}, "nobody.get"),
    ],
)
def test_a_call_by_wire_name_has_the_dotted_path_too(
    tool: str, arguments: dict[str, Any], path: str
) -> None:
    """A rule on ``billing.*`` holds whatever way the call is spelled."""
    tools = router(BILLING, grouped("crm", ["list"], key="op"))

    assert tools.canonical(tool, arguments) == path


NAME = st.from_regex(r"[a-z]{1,3}", fullmatch=True)


@given(group=NAME, rest=st.lists(NAME, min_size=1, max_size=3), key=NAME)
def test_a_grouped_call_has_one_path_for_every_spelling(
    group: str, rest: list[str], key: str
) -> None:
    """`execute` and `call_tool` agree on the canonical path."""
    wanted = ".".join(rest)
    tools = router(grouped(group, [wanted, "other"], key=key))

    found = tools.route(f"{group}.{wanted}", {})

    assert found is not None
    assert found.arguments == {key: wanted}
    assert found.action == f"{group}.{wanted}"
    assert tools.canonical(found.tool, found.arguments) == found.action


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["properties", "enum", "const", "required", "oneOf", "action", "x"]
                ),
                inner,
            )
        ),
    )
)
def test_no_schema_breaks_routing(junk: JsonValue) -> None:
    """Schemas come from the server, and servers send anything."""
    schema = cast("JsonObject", junk if isinstance(junk, dict) else {"oneOf": junk})
    tools = router(ToolInfo(name="t", input_schema=schema))

    found = tools.route("t.get", {})

    assert found is not None
    assert "get" in found.arguments.values()
