"""Read a text block: envelopes first, then JSON in it, then words and numbers."""


from mcpfusion_client.decode import json_metadata, safe_json
from mcpfusion_client.decode.evidence import Source
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.decode.lexicon import Context

MAX_EVIDENCE = 256 * 1024


def read(text: str, context: Context) -> Source:
    """Return what one text block says about a failure."""
    head = text[:MAX_EVIDENCE]
    value = (
        safe_json.loads(head)
        if head[:64].lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
        else None
    )
    found = json_metadata.read(value, context)
    if found is not None:
        return Source(facts=(found.facts,), clues=found.clues)
    return Source(facts=(Facts(dialect="text", inferred={"message": text.strip()}),))


def whole_envelope(text: str) -> Facts | None:
    """Return the facts of a text that, as a whole, is an MCP Fusion envelope."""
    return None
