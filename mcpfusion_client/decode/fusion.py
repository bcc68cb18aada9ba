"""Read MCP Fusion's XML: ``<tool_error>``, ``<validation_error>`` and contracts.

Only the first envelope of a text counts, and what stands inside its values is
data. Where an envelope is quoted inside JSON, a label or quotation marks there
is none.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

import attrs

from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.fusion_fields import composed_message, field_error
from mcpfusion_client.decode.fusion_repair import (
    CUT_ATTRIBUTE,
    ENVELOPE_START,
    Repaired,
    repair,
    unmark,
)
from mcpfusion_client.decode.labels import read_text as read_labels
from mcpfusion_client.decode.xml_tree import Element
from mcpfusion_client.decode.xml_tree import parse as parse_xml
from mcpfusion_client.model import (
    ContractChange,
    ErrorCode,
    FieldError,
    JsonValue,
    Severity,
)

DIALECT = "fusion-xml"

_EVIDENCE = 256 * 1024
"""Characters of a text that are read."""

_SPACE = re.compile(r"\ufeff?\s*+")
_QUOTES = frozenset("\"'`")
_NOTICE = "[SYSTEM INTERVENTION: Payload truncated at "
_LONGEST_NOTICE = 400
_CONTRACT_TAGS = ("contract_awareness", "contract_changes")
_SEVERITIES = {severity.value: severity for severity in Severity}
_SECONDS = re.compile(
    r"\s*+(\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?)"
    r"\s*+(?:s|secs?|seconds?)?\s*+"
)
_JSON = json.JSONDecoder(strict=False)
_JSON_START = re.compile(r"[{\[]")
_MOST_JSON_VALUES = 8


_Restore: TypeAlias = Callable[[str], str]


@attrs.frozen(kw_only=True)
class Peeled:
    """An error text without what the server wrapped around it.

    Attributes:
        body: Untrusted; the error text itself.
        contract_changes: From a ``<contract_awareness>`` that followed it.
        lossy: The text was cut.
    """

    body: str
    contract_changes: tuple[ContractChange, ...] = ()
    lossy: bool = False


def read_text(text: str) -> Facts | None:
    """Return what MCP Fusion's XML in *text* states, None when there is none."""
    if not ("_error" in text or "<contract_" in text or _NOTICE in text):
        return None
    peeled = peel(text)
    envelope = _first_envelope(peeled.body, cut=peeled.lossy)
    if envelope is not None:
        return _read_envelope(envelope, peeled)
    if not (peeled.contract_changes or _NOTICE in text):
        return None
    changes = peeled.contract_changes
    message = peeled.body or "; ".join(change.description for change in changes)
    return Facts(
        dialect=DIALECT,
        values={"contract_changes": changes} if changes else {},
        inferred={"message": message},
        lossy=peeled.lossy,
    )


def is_whole_envelope(text: str) -> bool:
    """Is *text*, white space aside, one envelope and nothing else?

    The notice of a cut may follow it, or stand where the rest of it was.
    """
    space = _SPACE.match(text)
    start = 0 if space is None else space.end()
    if len(text) > _EVIDENCE or ENVELOPE_START.match(text, start) is None:
        return False
    body, cut = _without_notice(text)
    envelope = repair(body, start, cut=cut)
    if envelope is None:
        return False
    return not body[envelope.end :].strip() if envelope.closed else cut


def peel(text: str) -> Peeled:
    """Take the notice of a cut and trailing contract changes off *text*."""
    if len(text) <= _EVIDENCE and not ("<contract_" in text or _NOTICE in text):
        return Peeled(body=text)
    body, cut = _without_notice(text[:_EVIDENCE])
    cut = cut or len(text) > _EVIDENCE
    start = _contract_start(body, cut=cut)
    contract = None if start is None else repair(body, start, cut=cut)
    if contract is None:
        return Peeled(body=body, lossy=cut)
    before = body[:start].removesuffix("\n").removesuffix("\n")
    before, cut_before = _without_notice(before)
    return Peeled(
        body=before,
        contract_changes=_contract_changes(
            parse_xml(contract.xml), _restorer(contract)
        ),
        lossy=cut or cut_before or contract.lossy,
    )


def _without_notice(text: str) -> tuple[str, bool]:
    """Return *text* without the notice of a cut, and whether there was one."""
    start = text.rfind(_NOTICE, max(0, len(text) - _LONGEST_NOTICE))
    if start < 0:
        return text, False
    notice = text[start:].rstrip()
    if "\n" in notice or not notice.endswith("]"):
        return text, False
    return text[:start].removesuffix("\n\n"), True


def _contract_start(text: str, *, cut: bool) -> int | None:
    """Return where contract changes begin that reach to the end of *text*."""
    end = text.rstrip()
    for tag in _CONTRACT_TAGS:
        if not (end.endswith(f"</{tag}>") or (cut and f"</{tag}>" not in text)):
            continue
        if text.startswith(f"<{tag}>"):
            return 0
        start = text.rfind(f"\n<{tag}>")
        if start >= 0:
            return start + 1
    return None


def _first_envelope(text: str, *, cut: bool) -> Repaired | None:
    """Return the first envelope in *text* that is not quoted there."""
    quoted: list[tuple[int, int]] | None = None
    for match in ENVELOPE_START.finditer(text):
        start = match.start()
        if start > 0:
            if text[start - 1] in _QUOTES:
                continue
            if quoted is None:
                if read_labels(text[:start]) is not None:
                    return None
                quoted = _json_values(text, start)
            if any(first < start < last for first, last in quoted):
                continue
        envelope = repair(text, start, cut=cut)
        if envelope is not None and not text.startswith("\\n", match.end() + 1):
            return envelope
    return None


def _json_values(text: str, before: int) -> list[tuple[int, int]]:
    """Return the places of the first JSON values that begin before *before*."""
    places: list[tuple[int, int]] = []
    position = 0
    for _ in range(_MOST_JSON_VALUES):
        match = _JSON_START.search(text, position, before)
        if match is None:
            break
        position = match.end()
        try:
            _, position = _JSON.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        places.append((match.start(), position))
    return places


def _restorer(element: Repaired) -> _Restore:
    return unmark if element.marked else str


def _read_envelope(envelope: Repaired, peeled: Peeled) -> Facts:
    root = parse_xml(envelope.xml)
    restore = _restorer(envelope)
    values = _children(root, restore)
    inferred: dict[str, JsonValue] = {}
    changes = (*values.pop("contract_awareness", ()), *peeled.contract_changes)
    if changes:
        values["contract_changes"] = changes
    severity = _SEVERITIES.get(root.attrib.get("severity", "").lower())
    if severity is None:
        inferred["severity"] = Severity.ERROR
    else:
        values["severity"] = severity
    for name in ("code", "action"):
        if name in root.attrib:
            values[name] = restore(root.attrib[name])
    if root.tag == "validation_error" and "code" not in values:
        inferred["code"] = ErrorCode.VALIDATION_ERROR.value
    if "message" not in values:
        message = restore(root.text or "").strip()
        if message:
            values["message"] = message
        elif "fields" in values:
            inferred["message"] = composed_message(values["fields"])
    return Facts(
        dialect=DIALECT,
        values=values,
        inferred=inferred,
        lossy=envelope.lossy or peeled.lossy,
        complete=True,
    )


def _children(root: Element, restore: _Restore) -> dict[str, JsonValue]:
    """Read every element of an envelope; the first of a name wins."""
    found: dict[str, JsonValue] = {}
    fields: list[FieldError] = []
    for child in root:
        if child.tag == "field":
            name = restore(child.attrib.get("name", ""))
            whole = CUT_ATTRIBUTE not in child.attrib
            fields.append(field_error(name, restore(child.text or ""), whole=whole))
        elif child.tag not in found:
            found[child.tag] = _READERS[child.tag](child, restore)
    if fields:
        found["fields"] = tuple(fields)
    return {
        name: value for name, value in found.items() if value or isinstance(value, str)
    }


def _text(element: Element, restore: _Restore) -> str:
    return restore(element.text or "")


def _retry_after(element: Element, _restore: _Restore) -> float | None:
    match = _SECONDS.fullmatch(element.text or "")
    seconds = 0.0 if match is None else float(match[1])
    return seconds if 0 < seconds < math.inf else None


def _available_actions(element: Element, restore: _Restore) -> tuple[str, ...]:
    actions = tuple(restore(action.text or "") for action in element)
    joined = restore(element.text or "")
    if actions or not joined.strip():
        return actions
    if "\n" in joined or ", " not in joined:
        return tuple(name.strip() for name in joined.split(",") if name.strip())
    return tuple(joined.split(", "))


def _details(element: Element, restore: _Restore) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {}
    for detail in element:
        details.setdefault(
            restore(detail.attrib.get("key", "")), restore(detail.text or "")
        )
    return details


def _contract_changes(
    element: Element, restore: _Restore
) -> tuple[ContractChange, ...]:
    """Read the changes at any depth below *element*."""
    changes: list[ContractChange] = []
    for child in element:
        if child.tag == "change":
            changes.append(_contract_change(child, restore))
        else:
            changes.extend(_contract_changes(child, restore))
    return tuple(changes)


def _contract_change(element: Element, restore: _Restore) -> ContractChange:
    parts = {part.tag: restore(part.text or "") for part in element}
    return ContractChange(
        severity=restore(element.attrib.get("severity", "")),
        field=restore(element.attrib.get("field", "")),
        description=parts.get("description", ""),
        before=parts.get("before"),
        after=parts.get("after"),
    )


_READERS: Mapping[str, Callable[[Element, _Restore], JsonValue]] = {
    "message": _text,
    "recovery": _text,
    "available_actions": _available_actions,
    "details": _details,
    "retry_after": _retry_after,
    "contract_awareness": _contract_changes,
}
