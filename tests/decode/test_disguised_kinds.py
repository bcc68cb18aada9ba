"""Kinds of disguised failures, and the answers that are most like them.

`disguised_failures.jsonl` holds the forms that servers return from their `except`
clauses and argument checks; `innocent_answers.jsonl` was written before the rules, of
every kind of answer that reads like an error. The last kind there, "may be either",
is what an error and an answer say in the same words: it is left alone.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpfusion_client.decode import read
from mcpfusion_client.decode.front import Reading
from mcpfusion_client.model import ErrorCategory, Severity

HERE = Path(__file__).parent


def lines(name: str) -> list[Any]:
    """Return what the answers of a file say."""
    text = (HERE / name).read_text("utf-8")
    return [json.loads(line)["says"] for line in text.splitlines()]


def look(value: object, **more: object) -> Reading:
    """Look for a disguise in a success whose text is *value*."""
    text = value if isinstance(value, str) else json.dumps(value)
    result = {"content": [{"type": "text", "text": text}], **more}
    return read(result, detect_disguised=True)


@pytest.mark.parametrize("says", lines("disguised_failures.jsonl"), ids=json.dumps)
def test_a_known_kind_of_disguise_is_found(says: object) -> None:
    """With its reason, and as a suspicion only."""
    reading = look(says)

    assert reading.error is None
    assert reading.suspected_failure is not None
    assert reading.reason


@pytest.mark.parametrize("says", lines("innocent_answers.jsonl"), ids=json.dumps)
def test_an_answer_that_reads_like_an_error_is_left_alone(says: object) -> None:
    """A false alarm turns a working call into a failed one."""
    assert look(says).suspected_failure is None


@pytest.mark.parametrize("says", lines("innocent_answers.jsonl")[::7], ids=json.dumps)
def test_an_answer_is_left_alone_in_structured_content_too(says: object) -> None:
    """SDKs repeat what a tool returns there, in a wrapper or bare."""
    wrapped = look(says, structuredContent={"result": says})
    bare = read({"content": [], "structuredContent": says}, detect_disguised=True)

    assert wrapped.suspected_failure is None
    assert bare.suspected_failure is None


@pytest.mark.parametrize(
    "structured",
    [
        {"result": "Error: it broke"},
        {"result": None},
        {},
        {"error": "Error: it broke"},
        {"success": False, "message": "Error: it broke"},
    ],
    ids=str,
)
def test_the_text_of_an_error_may_stand_beside_its_object(structured: object) -> None:
    """The same failure twice, or an object that says nothing."""
    assert look("Error: it broke", structuredContent=structured).suspected_failure


@pytest.mark.parametrize(
    "structured",
    [
        {"content": "Error: it broke"},
        {"rows": 1},
        {"result": [{"id": 1, "error": "it broke"}, {"id": 2}]},
        {"result": {"error": "it broke", "rows": [1]}},
        [1, 2],
        5,
    ],
    ids=str,
)
def test_structured_data_is_the_answer(structured: object) -> None:
    """Whatever its text says."""
    reading = look("Error: it broke", structuredContent=structured)

    assert reading.suspected_failure is None


def test_the_only_item_of_a_structured_list_is_read_as_an_object_of_its_own() -> None:
    """Some SDKs send each item of a list as a text of its own."""
    item = {"error": "it broke", "entity_id": "light.hall"}

    assert look(item, structuredContent={"result": [item]}).suspected_failure
    assert look([item]).suspected_failure is None


def test_an_envelope_is_decoded_from_the_text() -> None:
    """Whole, as an error or worse; a warning stays one."""
    envelope = (
        '<tool_error code="FORBIDDEN" severity="{}">\n'
        "<message>Board is private</message>\n</tool_error>"
    )
    suspect = look(envelope.format("critical")).suspected_failure
    assert suspect is not None
    assert suspect.code == "FORBIDDEN"
    assert suspect.severity is Severity.CRITICAL
    warned = look(envelope.format("warning"))
    assert warned.suspected_failure is None
    assert len(warned.warnings) == 1


def test_a_json_rpc_error_is_decoded_from_the_text() -> None:
    """Its number is the code, not the wrapper."""
    suspect = look(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "error": {"code": -32602, "message": "Invalid params: station"},
        }
    ).suspected_failure

    assert suspect is not None
    assert suspect.category is ErrorCategory.VALIDATION
    assert suspect.message == "Invalid params: station"


CALLS = "".join(f'  File "/srv/a{n}.py", line {n}, in go\n' for n in range(1, 40))
TRACEBACK = f"Traceback (most recent call last):\n{CALLS}ValueError: bad station"


JAVA = (
    'Exception in thread "main" java.lang.IllegalStateException: closed\n'
    "\tat org.example.Main.main(Main.java:9)\nCaused by: java.io.IOException: no\n"
    "\t... 12 more"
)
MEANWHILE = "During handling of the above exception, another exception occurred:"


@pytest.mark.parametrize(
    "trace",
    [
        TRACEBACK,
        f"\n{TRACEBACK}\n",
        f"{TRACEBACK}\n\n{MEANWHILE}\n\n{TRACEBACK}",
        "Uncaught TypeError: x is undefined\n" + "    at go (/srv/a.js:1:2)\n" * 40,
        JAVA,
    ],
    ids=["Python", "space around", "chained", "JavaScript", "Java"],
)
def test_a_trace_and_nothing_else_is_a_failure(trace: str) -> None:
    """However long it is."""
    assert look(trace).suspected_failure is not None


@pytest.mark.parametrize(
    "text",
    [
        f"{TRACEBACK}\nINFO worker restarted",
        f"worker.log:\n{TRACEBACK}",
        TRACEBACK.rpartition("\n")[0],
        "TypeError: x is undefined\n" + "    at go (/srv/a.js:1:2)\n" * 40 + "$ ls",
        f"{TRACEBACK}{'x' * 20_000}",
    ],
    ids=["log", "listing", "cut", "console", "long"],
)
def test_a_trace_in_something_else_is_data(text: str) -> None:
    """A log, a listing, or more than anybody returns."""
    assert look(text).suspected_failure is None


def test_an_object_of_many_keys_is_data() -> None:
    """No error needs a hundred; nothing is looked for there."""
    many = {"error": "it broke", **{f"sensor_{n}_id": n for n in range(100)}}

    assert look(many).suspected_failure is None
    assert look([many]).suspected_failure is None
    assert look({"error": "it broke", "sensor_id": 1}).suspected_failure is not None


def test_a_result_that_is_nothing_but_an_error_is_found() -> None:
    """Some handlers return the error where the result belongs."""
    reading = read(
        {"error": {"code": -32603, "message": "Not Found: repo x"}},
        detect_disguised=True,
    )

    assert reading.error is None
    assert reading.suspected_failure is not None
    assert read({"_meta": {"a": 1}}, detect_disguised=True).suspected_failure is None
