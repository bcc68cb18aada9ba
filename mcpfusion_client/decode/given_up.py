"""Read the line of an `MCPFusionClientError` that passed through a server's SDK.

Such a server called a tool through this package, and let the error fly. Its last
words say why the call was not repeated; whoever hears them does not repeat it either.
"""

import re

from mcpfusion_client.model import StopReason

_OWNED = [
    reason.value
    for reason in StopReason
    # With its retries switched off, an engine leaves them to the next one.
    if reason
    not in {StopReason.FIRST_TRY, StopReason.RETRIED, StopReason.RETRY_DISABLED}
]
_TAIL = re.compile(rf" \[\d{{1,9}} attempts?, (?:{'|'.join(_OWNED)})\]\s{{0,8}}\Z")
_LONGEST_TAIL = 80


def gave_up(text: str) -> bool:
    """Does *text* end in what an engine says of a call that it gave up on?"""
    return _TAIL.search(text[-_LONGEST_TAIL:]) is not None
