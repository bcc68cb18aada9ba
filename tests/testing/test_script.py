"""Scripts in files: every form of a step, and mistakes that are named."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpfusion_client import (
    ErrorCategory,
    MCPFusionClient,
    NextStep,
    RetryPolicy,
    SideEffects,
    StopReason,
    ToolInfo,
    ToolResult,
)
from mcpfusion_client.testing import (
    After,
    Hang,
    Progress,
    ProtocolFailure,
    Script,
    ScriptedServer,
    ScriptedSession,
    VirtualClock,
    assert_attempts,
    load_script,
)

DIALECTS = Path(__file__).parent / "dialects.jsonl"


def written(folder: Path, content: Any, name: str = "script.json") -> Path:
    """Write a script; a list for ``.jsonl`` becomes its lines."""
    path = folder / name
    if name.endswith(".jsonl"):
        path.write_text("\n".join(json.dumps(line) for line in content), "utf-8")
    else:
        path.write_text(json.dumps(content), "utf-8")
    return path


def outcomes(folder: Path, *steps: Any) -> tuple[Any, ...]:
    """Return what steps without a tool are played as."""
    return load_script(written(folder, list(steps))).outcomes


def test_lines_a_list_and_a_document_are_the_same_script(tmp_path: Path) -> None:
    """Recorders write lines, people write documents."""
    tools = [{"name": "b", "annotations": {"readOnlyHint": True}}]
    steps = [{"tool": "a", "text": "one"}, {"text": "rest"}]
    lines = written(tmp_path, [{"tools": tools}, *steps], "script.jsonl")
    listed = written(tmp_path, [{"tools": tools}, *steps], "list.json")
    document = written(tmp_path, {"tools": tools, "steps": steps})

    scripts = [load_script(path) for path in (lines, listed, document)]

    assert scripts[0] == scripts[1] == scripts[2]
    assert scripts[0].tools == (
        ToolInfo(name="b", annotations={"readOnlyHint": True}),
        ToolInfo(name="a"),
    )
    assert scripts[0].by_tool == {"a": ("one",)}
    assert scripts[0].outcomes == ("rest",)


def test_each_form_of_a_step_is_its_outcome(tmp_path: Path) -> None:
    """What is around an answer is played before it."""
    played = outcomes(
        tmp_path,
        {"text": "done", "times": 2},
        {"text": "no", "isError": True, "structuredContent": {"isRetryable": False}},
        {"result": {"content": []}, "id": "recorded"},
        {"protocol_error": {"code": -32602, "message": "bad", "data": {"a": 1}}},
        {"hang": True},
        {"after": 2, "progress": [0.5, 1], "text": "late", "comment": "slow"},
    )

    assert played == (
        "done",
        "done",
        {
            "content": [{"type": "text", "text": "no"}],
            "isError": True,
            "structuredContent": {"isRetryable": False},
        },
        {"content": []},
        ProtocolFailure(-32602, "bad", {"a": 1}),
        Hang(),
        After(2.0, Progress(0.5, Progress(1.0, "late"))),
    )


@pytest.mark.parametrize(
    ("step", "named"),
    [
        ([], "list"),
        ({}, "tool_error"),
        ({"text": "a", "hang": True}, "hang"),
        ({"text": "a", "tols": 1}, "tols"),
        ({"tool_error": {"code": "X"}, "isError": True}, "isError"),
        ({"tool_error": {"code": "X"}}, "message"),
        ({"tool_error": {"code": "X", "message": "m", "retryafter": 1}}, "retryafter"),
        ({"validation_error": {}}, "fields"),
        ({"protocol_error": {"code": "x", "message": ""}}, "x"),
        ({"text": 1}, "1"),
        ({"text": "a", "after": -1}, "-1"),
        ({"text": "a", "progress": 1}, "1"),
        ({"text": "a", "times": 0}, "0"),
        ({"text": "a", "times": True}, "True"),
        ({"text": "a", "tool": ""}, "''"),
        ({"hang": False}, "False"),
        ({"result": "text"}, "text"),
        ({"http": {"status": 429}}, "protocol_error"),
        ({"tools": [{"title": "no name"}]}, "name"),
        ({"tools": ["a"]}, "'a'"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path, step: Any, named: str
) -> None:
    """File, step, and the key or value that is wrong."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - looked at below
        load_script(written(tmp_path, [{"text": "fine"}, step]))

    told = str(caught.value)
    assert told.startswith("script.json, step 2: ") or named == "step 1"
    assert named in told or named == "step 1"


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.jsonl", '{"text": "a"}\n\n{"text"', "line 3"),
        ("a.json", "[", "the document"),
        ("a.json", '"text"', "str"),
        ("a.json", '{"step": []}', "step"),
        ("a.json", "[" * 100_000, "the document"),
    ],
)
def test_a_file_that_is_no_script_is_told(
    tmp_path: Path, name: str, content: str, place: str
) -> None:
    """Broken JSON, the wrong shape, or depth without end."""
    path = tmp_path / name
    path.write_text(content, "utf-8")

    with pytest.raises(ValueError, match=place):
        load_script(path)


async def _played(target: object, clock: VirtualClock) -> list[ToolResult]:
    client = MCPFusionClient(
        target, clock=clock, retry=RetryPolicy(jitter="none", max_attempts=2)
    )
    async with client:
        return [
            await client.call_tool(tool.name, raise_on_error=False, timeout=5.0)
            for tool in load_script(DIALECTS).tools
        ]


async def test_every_dialect_reads_the_same_from_session_and_server() -> None:
    """One file: an envelope, metadata, labels, a JSON-RPC error, a hang."""
    script, clock = load_script(DIALECTS), VirtualClock()
    session = ScriptedSession(
        script.outcomes, by_tool=script.by_tool, tools=script.tools, clock=clock
    )
    from_session = await _played(session, clock)
    clock = VirtualClock()
    server = ScriptedServer.of(script, clock=clock)

    from_server = await _played(server.target, clock)

    server.assert_played()
    for results in (from_session, from_server):
        _check_dialects(results)


def _check_dialects(results: list[ToolResult]) -> None:
    limited, invoice, refund, customers, unknown, silent, warned = results
    assert_attempts(limited, "RATE_LIMITED", None, waits=[7.0], stop=StopReason.RETRIED)
    assert invoice.error is not None
    assert [field.name for field in invoice.error.fields] == ["id"]
    assert_attempts(refund, ErrorCategory.BUSINESS)
    assert customers.error is not None
    assert customers.error.category is ErrorCategory.AMBIGUOUS
    assert customers.error.side_effects is SideEffects.NONE
    assert customers.error.next_step is NextStep.FIX_ARGUMENTS
    assert_attempts(unknown, "-32602")
    assert_attempts(silent, "TIMEOUT")
    assert warned.warnings[0].code == "DEPRECATED"


def test_a_script_is_a_value() -> None:
    """An empty one lists nothing and plays nothing."""
    assert (Script().outcomes, Script().by_tool) == ((), {})
