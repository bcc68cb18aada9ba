"""A failure is the same JSON whichever command prints it."""

import json
from typing import Any

import attrs
import pytest

from mcpfusion_client.cli.entry import run
from mcpfusion_client.model import ErrorInfo

WORDS = {each.name for each in attrs.fields(ErrorInfo)} | {"next_step"}


def _printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    run([*words, "--json"])
    parsed: dict[str, Any] = json.loads(capsys.readouterr().out)
    return parsed


@pytest.fixture
def pasted(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a result into a file and returns its name."""
    monkeypatch.chdir(tmp_path)

    def paste(result: object) -> str:
        (tmp_path / "result.json").write_text(json.dumps(result), "utf-8")
        return "result.json"

    return paste


def test_decode_and_call_describe_a_failure_in_the_same_words(
    http_stage: str, pasted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads the one can read the other; only a call has an exception."""
    called = _printed(capsys, "call", http_stage, "refuse", "id=x")

    decoded = _printed(capsys, "decode", pasted(called["result"]))

    assert called["ok"] is decoded["ok"] is False
    assert called["error"].pop("type") == "ResourceNotFoundError"
    assert decoded["error"] == called["error"]
    assert set(decoded["error"]) == WORDS


def test_a_success_has_the_same_keys_in_both(
    http_stage: str, pasted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """What came beside it too."""
    called = _printed(capsys, "call", http_stage, "add", "a=1", "b=2")

    decoded = _printed(capsys, "decode", pasted({"content": called["content"]}))

    assert called["ok"] is decoded["ok"] is True
    assert decoded["error"] is None
    for key in ("warnings", "suspected_failure"):
        assert decoded[key] == called[key]


def test_a_suspected_failure_is_told_in_these_words_too(
    pasted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the reason why, and what the client would do."""
    text = json.dumps({"error": {"code": "NOT_FOUND", "message": "no such order"}})
    result = {"content": [{"type": "text", "text": text}]}

    decoded = _printed(capsys, "decode", pasted(result), "--detect-disguised")

    assert decoded["ok"] is True
    assert set(decoded["suspected_failure"]) == WORDS
    assert decoded["reason"]
    assert decoded["would_do"]


def test_what_is_no_result_is_a_warning_beside_the_json(
    pasted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output stays one document."""
    run(["decode", pasted({"a": 1}), "--json"])

    printed = capsys.readouterr()
    assert json.loads(printed.out)["ok"] is True
    assert "isError" in printed.err


def test_the_keys_of_jsonl_are_asked_for_by_its_own_name(
    pasted: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--category`` chooses among words that only ``--jsonl`` prints."""
    assert run(["decode", pasted({}), "--json", "--category", "family"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
