"""Find failures that were sent as successes; precision first."""

import attrs

from mcpfusion_client.decode.lexicon import Context
from mcpfusion_client.model import ErrorInfo, JsonObject


@attrs.frozen(kw_only=True)
class Suspect:
    """A failure sent as a success, and why it is taken for one."""

    error: ErrorInfo
    reason: str


def find(result: JsonObject, context: Context) -> Suspect | None:
    """Return the failure hidden in a successful *result*, if there is one."""
    return None
