"""What one reader found in one place, before anything is merged.

A reader states only what it saw; which of several facts wins is decided
elsewhere.
"""

from collections.abc import Mapping

import attrs

from mcpfusion_client.model import JsonValue


@attrs.frozen(kw_only=True)
class Facts:
    """The facts one reader found in one place.

    Attributes:
        dialect: Name of the reader's dialect.
        values: `ErrorInfo` attribute name to the value the server stated; None
            only for ``is_retryable``, where the server says that nobody knows.
        inferred: The same for what the reader concluded itself, such as a
            default severity or a message composed from fields.
        lossy: The place was damaged or cut.
        complete: True for an MCP Fusion envelope: hints and names in prose
            never apply to it.
        veto: Some block said that the call is not retryable.
    """

    dialect: str
    values: Mapping[str, JsonValue] = attrs.field(factory=dict[str, JsonValue])
    inferred: Mapping[str, JsonValue] = attrs.field(factory=dict[str, JsonValue])
    lossy: bool = False
    complete: bool = False
    veto: bool = False
