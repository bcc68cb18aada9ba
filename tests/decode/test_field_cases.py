"""What servers, clients and drivers really write, labelled from knowledge of them.

The lines of `field_cases*.jsonl` were written from the formats themselves, with what
they mean, before the decoder had seen them; every line is a regression test.
"""

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mcpfusion_client.decode.jsonl import decode_object

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted(Path(__file__).parent.glob("field_cases*.jsonl"))
    for line in path.read_text("utf-8").splitlines()
]
FAILURES = [case for case in CASES if case["label"]["failed"]]
SUCCESSES = [case for case in CASES if not case["label"]["failed"]]


def _accepted(label: dict[str, Any], name: str) -> list[Any]:
    return [label[name], *label.get("accept", {}).get(name, [])]


def _field_names(names: list[str]) -> set[str]:
    return {name.lower().lstrip("-/$.").replace("/", ".") for name in names}


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: str(case["id"]))
def test_a_real_text_means_what_its_format_says(case: dict[str, Any]) -> None:
    """Category, retry, code, wait and fields of one case; disguised ones on request."""
    label = case["label"]
    disguised = label["failed"] and not label["wire_failed"]
    row = decode_object(case, now=NOW, category="family", detect_disguised=disguised)
    if disguised:
        assert row["failed"] is False
        row = row["suspected_failure"]
    else:
        assert row["failed"] is True

    assert row["category"] in _accepted(label, "category")
    assert row["retryable"] in _accepted(label, "retryable")
    if not disguised:
        assert row["executed"] in _accepted(label, "executed")
        assert row["code"] in _accepted(label, "code") or (
            label["code"] is None and row["code"] is None
        )
        assert _field_names(row["field_names"]) in [
            _field_names(names) for names in _accepted(label, "field_names")
        ]
    expected = label["retry_after_s"]
    if expected is None:
        assert row["retry_after_s"] is None
    else:
        assert math.isclose(row["retry_after_s"], expected, rel_tol=1e-6)


@pytest.mark.parametrize("case", SUCCESSES, ids=lambda case: str(case["id"]))
def test_no_real_success_is_suspected(case: dict[str, Any]) -> None:
    """Error words in data are data, also when asked to look for disguises."""
    row = decode_object(case, now=NOW, detect_disguised=True)

    assert row["failed"] is False
    assert row["suspected_failure"] is None
    assert row["warnings"] == []
