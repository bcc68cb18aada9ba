"""One tool list, one module: paths, arguments, results, docstrings, form."""

import ast
import inspect
import random
from pathlib import Path

import pytest

from mcpfusion_client.codegen import generate
from mcpfusion_client.model import JsonObject, JsonValue, ToolInfo
from tests.codegen.making import HERE, SERVERS, at_work, listed_by, loaded, made, tool

ID: JsonObject = {"type": "string"}
DOTTED = tool("billing.get_invoice", {"id": ID}, ["id"])
FLAT = tool("billing_get_invoice", {"id": ID}, ["id"])
GROUPED = tool(
    "billing",
    {"action": {"type": "string", "enum": ["get_invoice", "void"]}, "id": ID},
    ["action", "id"],
)


@pytest.mark.parametrize(
    ("listed", "sent"),
    [
        (DOTTED, ("billing.get_invoice", {"id": "inv_1"})),
        (FLAT, ("billing_get_invoice", {"id": "inv_1"})),
        (GROUPED, ("billing", {"action": "get_invoice", "id": "inv_1"})),
    ],
    ids=["dotted", "flat", "grouped"],
)
async def test_the_three_forms_of_a_tool_are_one_call(
    listed: JsonObject, sent: tuple[str, JsonObject], tmp_path: Path
) -> None:
    """A server may change its exposition; the code that calls it stays."""
    router, client = at_work(tmp_path, listed)

    await router.billing.get_invoice(id="inv_1")

    assert client.calls == [sent]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("get_invoice", "get_invoice"),
        ("search_files", "search_files"),
        ("git_status", "git.status"),
        ("billing_invoices.get", "billing.invoices.get"),
        ("a.b.c.d", "a.b.c.d"),
        ("issue_create", "issue.create"),
        ("issue_number", "issue_number"),
        ("echo", "echo"),
        ("API-post-search", "API_post_search"),
        ("resolve-library-id", "resolve_library_id"),
    ],
)
def test_a_path_depends_on_the_name_alone(name: str, path: str, tmp_path: Path) -> None:
    """A further tool must never move the methods that are there already."""
    router, _ = at_work(tmp_path, tool(name), tool("other_tool"), tool("zz_get"))

    here: JsonValue = router
    for step in path.split("."):
        here = getattr(here, step)
    assert callable(here)


def test_flat_names_may_stay_flat(tmp_path: Path) -> None:
    """Whoever does not like the split can do without it."""
    module = loaded(made(FLAT, split_flat=False).source, tmp_path)

    assert callable(module.AppRouter.billing_get_invoice)


async def test_a_tool_and_a_namespace_of_one_name_share_it(tmp_path: Path) -> None:
    """``billing`` is called, and ``billing.get`` is below it."""
    router, client = at_work(tmp_path, tool("billing"), tool("billing_get"))

    await router.billing()
    await router.billing.get()

    assert [name for name, _ in client.calls] == ["billing", "billing_get"]


async def test_what_is_not_set_is_not_sent(tmp_path: Path) -> None:
    """The server's own default holds; None is a value and travels."""
    listed = tool(
        "find",
        {
            "text": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "after": {"type": ["string", "null"], "default": None},
        },
        ["text"],
    )
    router, client = at_work(tmp_path, listed)

    await router.find(text="a")
    await router.find(text="b", after=None, limit=0)

    assert client.calls == [
        ("find", {"text": "a"}),
        ("find", {"text": "b", "after": None, "limit": 0}),
    ]


def test_arguments_are_keyword_only_and_required_ones_first(tmp_path: Path) -> None:
    """Nobody remembers an order of a schema."""
    listed = tool("find", {"a": ID, "b": ID, "c": ID}, ["c"])
    module = loaded(made(listed).source, tmp_path)

    found = inspect.signature(module.AppRouter.find).parameters

    kinds = {each.kind for name, each in found.items() if name != "self"}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    assert [*found] == ["self", "c", "a", "b"]
    assert found["c"].default is inspect.Parameter.empty


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("class", "class_"),
        ("2fa", "arg_2fa"),
        ("foo-bar", "foo_bar"),
        ("a.b", "a_b"),
        ("self", "self_"),
        ("_meta", "arg_meta"),
        ("__proto__", "arg_proto"),
        ("", "arg"),
        ("---", "arg"),
        ("請求番号", "請求番号"),
        ("ﬁle", "file"),
        ("x" * 500, None),
    ],
)
async def test_a_name_python_has_no_room_for_keeps_its_wire_name(
    wire: str, python: str | None, tmp_path: Path
) -> None:
    """Keywords, digits, punctuation, lookalikes: renamed here, sent as they are."""
    router, client = at_work(tmp_path, tool("probe", {wire: ID}, [wire]))
    (name,) = [*inspect.signature(router.probe).parameters]

    await router.probe(**{name: "v"})

    assert client.calls == [("probe", {wire: "v"})]
    assert name == python or (python is None and name.isidentifier())


async def test_names_that_collide_after_cleaning_stay_apart(tmp_path: Path) -> None:
    """The one that needs no cleaning keeps its name."""
    listed = tool("probe", {"a-b": ID, "a_b": ID, "a.b": ID}, ["a-b", "a_b", "a.b"])
    router, client = at_work(tmp_path, listed, tool("x-y"), tool("x_y"), tool("x/y"))

    await router.probe(a_b="plain", a_b_2="dash", a_b_3="dot")

    assert client.calls == [("probe", {"a_b": "plain", "a-b": "dash", "a.b": "dot"})]


def test_a_method_named_like_a_type_does_not_break_annotations(
    tmp_path: Path,
) -> None:
    """``users.list`` is the most usual name there is."""
    listed = [
        tool("users_list", {"tags": {"type": "array", "items": ID}}),
        tool("users_str", {"name": ID}),
        tool("property"),
    ]
    module = loaded(made(*listed).source, tmp_path)

    annotations = inspect.get_annotations(module.UsersNamespace.list)

    assert "list[str]" in str(annotations["tags"])


def test_the_options_of_a_router_keep_their_name(tmp_path: Path) -> None:
    """A tool of that name becomes another method."""
    source = made(tool("with_options"), split_flat=False).source
    module = loaded(source, tmp_path)

    assert "with_options" not in vars(module.AppRouter)
    assert callable(module.AppRouter.with_options_)


@pytest.mark.parametrize("name", ["_call", "_binding", "__init__", "__contract__"])
async def test_a_tool_cannot_take_the_place_of_the_machinery(
    name: str, tmp_path: Path
) -> None:
    """What the base class relies on keeps its name."""
    router, client = at_work(tmp_path, tool(name))
    (method,) = {each for each in dir(router) if each[0] != "_"} - {"with_options"}

    await getattr(router, method)()

    assert client.calls == [(name, {})]


class TestGrouped:
    """A grouped tool is a namespace of its actions."""

    def _arguments(self, listed: JsonObject, tmp_path: Path) -> dict[str, list[str]]:
        router, _ = at_work(tmp_path, listed)
        return {
            name: [*inspect.signature(getattr(router.t, name)).parameters]
            for name in ("create", "list")
        }

    def test_branches_with_a_constant_divide_the_arguments(
        self, tmp_path: Path
    ) -> None:
        """A discriminated union says exactly what belongs to what."""
        listed: JsonObject = {
            "name": "t",
            "inputSchema": {
                "type": "object",
                "oneOf": [
                    {
                        "properties": {"op": {"const": "create"}, "title": ID},
                        "required": ["op", "title"],
                    },
                    {
                        "properties": {"op": {"enum": ["list"]}, "limit": ID},
                        "required": ["op"],
                    },
                ],
            },
        }

        found = self._arguments(listed, tmp_path)

        assert found == {"create": ["title"], "list": ["limit"]}

    def test_notes_of_mcp_fusion_divide_them_too(self, tmp_path: Path) -> None:
        """It flattens the actions and writes down what belongs to what."""
        listed = tool(
            "t",
            {
                "action": {"type": "string", "enum": ["create", "list"]},
                "workspace": {**ID, "description": "Where. (always required)"},
                "title": {**ID, "description": "Title. Required for: create"},
                "sort": {**ID, "description": "For: list"},
                "tag": {**ID, "description": "Tag. Required for: list. For: create"},
            },
            ["action", "workspace"],
        )

        found = self._arguments(listed, tmp_path)

        assert found == {
            "create": ["workspace", "title", "tag"],
            "list": ["workspace", "tag", "sort"],
        }

    def test_without_either_they_are_shared(self, tmp_path: Path) -> None:
        """What nobody divided belongs to every action."""
        listed = tool(
            "t",
            {"action": {"enum": ["create", "list"]}, "a": ID, "b": ID},
            ["a"],
        )

        found = self._arguments(listed, tmp_path)

        assert found == {"create": ["a", "b"], "list": ["a", "b"]}

    def test_a_note_with_an_unknown_name_is_prose(self, tmp_path: Path) -> None:
        """A description may start with the same word."""
        listed = tool(
            "t",
            {
                "action": {"enum": ["create", "list"]},
                "a": {**ID, "description": "For: your eyes only"},
            },
            ["action"],
        )

        found = self._arguments(listed, tmp_path)

        assert found == {"create": ["a"], "list": ["a"]}

    def test_any_other_enum_is_an_argument(self, tmp_path: Path) -> None:
        """A mode is no discriminator."""
        router, _ = at_work(
            tmp_path, tool("t", {"mode": {"enum": ["fast", "slow"]}}, ["mode"])
        )

        assert [*inspect.signature(router.t).parameters] == ["mode"]

    async def test_dots_in_an_action_go_deeper(self, tmp_path: Path) -> None:
        """As the action path of `execute` does."""
        router, client = at_work(
            tmp_path, tool("t", {"action": {"enum": ["a.b"]}}, ["action"])
        )

        await router.t.a.b()

        assert client.calls == [("t", {"action": "a.b"})]


def test_the_same_tools_give_the_same_module() -> None:
    """In any order, every time: a diff of the file is a diff of the server."""
    tools = [each for server in SERVERS for each in listed_by(server)]
    first = generate(tools).source
    random.Random(3).shuffle(tools)  # noqa: S311 - an order

    assert generate(tools).source == first or len({t["name"] for t in tools}) != len(
        tools
    )


def test_tools_of_a_client_and_of_the_wire_are_the_same() -> None:
    """`ToolInfo` and the JSON it was made from."""
    wire = {**DOTTED, "annotations": {"readOnlyHint": True}, "description": "Get."}
    info = ToolInfo(
        name="billing.get_invoice",
        description="Get.",
        input_schema=DOTTED["inputSchema"],
        annotations={"readOnlyHint": True},
    )

    assert generate([info]).source == generate([wire]).source


def test_docstrings_tell_what_the_server_told(tmp_path: Path) -> None:
    """Description, effects, arguments with defaults, wire names."""
    listed = tool(
        "pay",
        {
            "amount": {"type": "number", "description": "In euros"},
            "dry-run": {"type": "boolean", "default": True},
        },
        ["amount"],
        description="Pay an invoice.\n\nMoney moves.",
        annotations={"destructiveHint": True},
    )
    module = loaded(made(listed).source, tmp_path)

    told = inspect.getdoc(module.AppRouter.pay)

    assert told is not None
    assert told.startswith("Pay an invoice.\n\nMoney moves.")
    for part in ("delete or overwrite", "amount: In euros", "``dry-run``", "``true``"):
        assert part in told


def test_a_result_without_a_schema_is_a_plain_tool_result(tmp_path: Path) -> None:
    """Nobody promised anything about it."""
    module = loaded(made(tool("t")).source, tmp_path)

    assert "ToolResult" in str(inspect.signature(module.AppRouter.t).return_annotation)
    assert "[" not in str(inspect.signature(module.AppRouter.t).return_annotation)


def test_two_tools_share_a_definition_that_says_the_same() -> None:
    """One class ``Customer``, not one a tool."""
    customer = {"type": "object", "properties": {"name": ID}, "required": ["name"]}
    schema = {
        "type": "object",
        "properties": {"customer": {"$ref": "#/$defs/Customer"}},
        "$defs": {"Customer": customer},
    }
    other = {**schema, "$defs": {"Customer": {**customer, "required": []}}}
    both = [{"name": name, "inputSchema": schema} for name in ("get_a", "get_b")]

    same = made(*both).source
    different = made(*both, {"name": "get_c", "inputSchema": other}).source

    assert same.count("class Customer(") == 1
    assert "class Customer(" not in different
    assert different.count("Customer(TypedDict)") == 3


def test_no_tools_are_a_module_too(tmp_path: Path) -> None:
    """A server may offer nothing yet."""
    module = loaded(made().source, tmp_path)

    assert module.CONTRACT.tools == {}


@pytest.mark.parametrize(
    "broken", [None, 3, "x", {}, {"name": 3}, {"name": ""}, {"title": "no name"}]
)
def test_what_is_no_tool_is_left_out_with_a_warning(broken: JsonValue) -> None:
    """One bad entry must not cost the others."""
    generated = generate([broken, DOTTED])

    assert len(generated.warnings) == 1
    assert "def get_invoice" in generated.source


def test_of_two_tools_with_one_name_the_first_counts() -> None:
    """A call by that name reaches one of them."""
    generated = made(tool("t", {"a": ID}), tool("t", {"b": ID}))

    assert len(generated.warnings) == 1
    assert "a: str" in generated.source
    assert "b: str" not in generated.source


def test_the_example_is_what_the_generator_writes() -> None:
    """A change of the output shows up in a review."""
    tools = listed_by(HERE / "example.json")

    assert generate(tools).source == (HERE / "example_router.py").read_text("utf-8")


def test_the_module_is_python_of_the_oldest_version() -> None:
    """3.11 has neither PEP 695 nor TypedDicts with closed=."""
    for server in SERVERS:
        ast.parse(generate(listed_by(server)).source, feature_version=(3, 11))
