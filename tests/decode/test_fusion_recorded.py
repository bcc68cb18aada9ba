"""Every recorded result of the real server comes back as it was put in."""

import json
import math
from pathlib import Path

import pytest

from mcpfusion_client.decode import fusion, fusion_legacy
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import JsonObject, JsonValue

RECORDED = Path(__file__).parents[3] / "shared" / "data" / "golden_dev.jsonl"
SCALARS = ("code", "message", "recovery", "action")


def recorded() -> list[JsonObject]:
    """Return the recorded failures and warnings that are sent as what they are."""
    if not RECORDED.exists():
        pytest.skip("the recorded results are not beside this checkout")
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    results = [json.loads(line) for line in lines if line]
    return [
        result
        for result in results
        if result["kind"] == "tool"
        and not result.get("wrapped")
        and (result["is_error_on_wire"] or result["expect"] == "warning")
    ]


def first_facts(result: JsonObject) -> Facts | None:
    """Return the first complete facts of a result's text blocks."""
    for block in result["result"]["content"]:
        if block["type"] == "text":
            text = block["text"]
            facts = fusion.read_text(text) or fusion_legacy.read_text(text)
            if facts is not None and facts.complete:
                return facts
    return None


def test_what_survived_whole_comes_back_exactly() -> None:
    """Every value of every envelope, cut or not, of every version."""
    compared = 0
    for result in recorded():
        facts = first_facts(result)
        if facts is None:
            continue
        differing = dict(_differing(result, facts))
        assert not differing, (result["id"], differing)
        compared += 1

    assert compared > 200


def _differing(
    result: JsonObject, facts: Facts
) -> list[tuple[str, tuple[JsonValue, JsonValue]]]:
    """Return the values that are not what was put in."""
    put_in = result["truth"]
    cut: JsonObject | None = result.get("truncated")
    survives: JsonObject | None = None if cut is None else cut.get("survives", {})
    implied = result["implied"]
    pairs: list[tuple[str, tuple[JsonValue, JsonValue]]] = [
        (name, (put_in[name], facts.values.get(name)))
        for name in SCALARS
        if name not in implied
        and (survives is None or survives.get(name) == "full")
        and put_in.get(name) is not None
    ]
    if survives is None and "retry_after_seconds" in put_in:
        pairs.append(("wait", (put_in["retry_after_seconds"], _wait(facts))))
    if survives is None and "available_actions" not in implied:
        actions = list(facts.values.get("available_actions", ()))
        pairs.append(("actions", (put_in["available_actions"], actions)))
    if survives is None:
        pairs.append(("details", (put_in["details"], facts.values.get("details", {}))))
        names = [field["name"] for field in put_in["fields"]]
        fields = [field.name for field in facts.values.get("fields", ())]
        pairs.append(("fields", (names, fields)))
    return [(name, pair) for name, pair in pairs if pair[0] != pair[1]]


def _wait(facts: Facts) -> float | None:
    wait: float | None = facts.values.get("retry_after")
    return wait


def test_what_was_cut_is_lossy_and_has_no_half_values() -> None:
    """Actions, details and waits are whole or absent."""
    cut = [result for result in recorded() if result.get("truncated")]
    for result in cut:
        blocks = [block.get("text", "") for block in result["result"]["content"]]
        assert any(fusion.peel(text).lossy for text in blocks), result["id"]
        facts = first_facts(result)
        if facts is None:
            continue
        put_in = result["truth"]
        actions = facts.values.get("available_actions", ())
        assert list(actions) == put_in["available_actions"][: len(actions)]
        details = facts.values.get("details", {})
        assert details.items() <= put_in["details"].items()
        assert _wait(facts) in {None, put_in["retry_after_seconds"]}
        assert not math.isnan(_wait(facts) or 0.0)

    assert cut


def test_a_warning_is_a_whole_envelope_and_an_answer_is_not() -> None:
    """On the success path only the envelope itself is advice."""
    warnings = [result for result in recorded() if result["expect"] == "warning"]
    for result in warnings:
        texts = [block["text"] for block in result["result"]["content"]]
        whole = [text for text in texts if fusion.is_whole_envelope(text)]
        assert len(whole) == 1, result["id"]

    assert warnings
