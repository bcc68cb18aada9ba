"""A result as a person reads it: each content block by its type."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from mcpfusion_client.cli.console import untrusted
from mcpfusion_client.model import ErrorInfo, JsonObject, JsonValue, ToolResult
from mcpfusion_client.model.json import is_array, is_mapping, is_object
from mcpfusion_client.model.text import one_line

_KIB: Final = 1024
_MAX_URI: Final = 300


def result_view(result: ToolResult) -> RenderableType:
    """Return everything that *result* brought, for a person."""
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not _says(result, structured):
        if parts:
            parts.append(Text("structured content:", style="dim"))
        parts.append(json_view(structured))
    if not parts:
        parts.append(Text("(an empty result)", style="dim"))
    return Group(*parts)


def advice(result: ToolResult) -> Iterator[Text]:
    """Yield a line for everything about a success that needs attention."""
    for warning in result.warnings:
        yield Text(f"warning: {_told(warning)}", style="yellow")
    if result.suspected_failure is not None:
        told = _told(result.suspected_failure)
        yield Text(f"this success looks like a failure: {told}", style="yellow")


def json_view(value: JsonValue) -> Text:
    """Return *value* as indented JSON."""
    return untrusted(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def _told(info: ErrorInfo) -> str:
    parts = (info.code or "", info.message, info.recovery or "")
    return ": ".join(one_line(part, 300) for part in parts if part)


def _says(result: ToolResult, structured: JsonValue) -> bool:
    """Is the structured content there as a text block as well?

    Servers that wrap a value in an object with one key send the value as text.
    """
    wanted = [structured]
    if is_mapping(structured) and len(structured) == 1:
        wanted += structured.values()
    texts = [block.get("text") for block in result.content]
    return any(
        said == value
        for text in texts
        for said in (text, _parsed(text))
        for value in wanted
        if said is not None
    )


def _parsed(text: JsonValue) -> JsonValue:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _block(block: JsonObject) -> Text:
    show = _VIEWS.get(str(block.get("type")), json_view)
    return show(block)


def _text(block: JsonObject) -> Text:
    text = str(block.get("text", ""))
    found = _parsed(text)
    return json_view(found) if is_object(found) or is_array(found) else untrusted(text)


def _media(block: JsonObject) -> Text:
    kind = _word(block, "type")
    return Text(f"[{kind}: {_word(block, 'mimeType')}, {_size(block.get('data'))}]")


def _link(block: JsonObject) -> Text:
    name = _word(block, "title") or _word(block, "name")
    facts = [name, _word(block, "uri"), _word(block, "mimeType")]
    size = block.get("size")
    if isinstance(size, int):
        facts.append(_bytes(size))
    line = f"[link: {', '.join(fact for fact in facts if fact)}]"
    description = _word(block, "description")
    return Text(f"{line} {description}" if description else line)


def _resource(block: JsonObject) -> Text:
    resource = block.get("resource")
    if not is_mapping(resource):
        return json_view(block)
    facts = [_word(resource, "uri"), _word(resource, "mimeType")]
    if "blob" in resource:
        facts.append(_size(resource["blob"]))
    line = Text(f"[resource: {', '.join(fact for fact in facts if fact)}]")
    if isinstance(resource.get("text"), str):
        return line.append("\n").append_text(untrusted(resource["text"]))
    return line


_VIEWS: Final[Mapping[str, Callable[[JsonObject], Text]]] = {
    "text": _text,
    "image": _media,
    "audio": _media,
    "resource_link": _link,
    "resource": _resource,
}


def _word(block: JsonObject, key: str) -> str:
    value = block.get(key)
    return one_line(value, _MAX_URI) if isinstance(value, str) else ""


def _size(encoded: JsonValue) -> str:
    """Return how much Base64 text stands for."""
    if not isinstance(encoded, str):
        return "no data"
    return _bytes(len(encoded.rstrip("=")) * 3 // 4)


def _bytes(count: int) -> str:
    return f"{count} bytes" if count < _KIB else f"{count / _KIB:.1f} KiB"
