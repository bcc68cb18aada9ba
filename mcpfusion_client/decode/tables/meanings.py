"""The meanings the tables are written in."""

from collections.abc import Mapping

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.model import ErrorCategory, Execution

_NO = Execution.NOT_EXECUTED

VALIDATION = Meaning(ErrorCategory.VALIDATION, retry=False, execution=_NO)
AMBIGUOUS = Meaning(ErrorCategory.AMBIGUOUS, retry=False, execution=_NO)
AUTHENTICATION = Meaning(ErrorCategory.AUTHENTICATION, retry=False, execution=_NO)
PERMISSION = Meaning(ErrorCategory.PERMISSION, retry=False, execution=_NO)
BUSINESS = Meaning(ErrorCategory.BUSINESS, retry=False, execution=_NO)
DISK_FULL = Meaning(ErrorCategory.BUSINESS, retry=False)
NOT_FOUND = Meaning(ErrorCategory.NOT_FOUND, retry=False, execution=_NO)
CONFLICT = Meaning(ErrorCategory.CONFLICT, retry=False, execution=_NO)
CANCELLED = Meaning(ErrorCategory.CANCELLED, retry=False, execution=_NO)
PROTOCOL = Meaning(ErrorCategory.PROTOCOL, retry=False, execution=_NO)

RATE_LIMITED = Meaning(ErrorCategory.RATE_LIMITED, retry=True, execution=_NO)
BUSY = Meaning(ErrorCategory.TRANSIENT, retry=True, execution=_NO)
"""Turned away before anything ran."""

OUTAGE = Meaning(ErrorCategory.TRANSIENT, retry=True)
"""Down or overloaded; whether the call ran is open."""

TIMEOUT = Meaning(ErrorCategory.TRANSIENT, retry=True)
"""A stated time-out: temporary by definition, outcome open."""

LOST = Meaning(ErrorCategory.TRANSIENT)
"""Cut off on the way; nobody knows whether a repeat helps."""

REFUSED = Meaning(ErrorCategory.TRANSIENT)
"""Something behind the tool could not be reached; what ran before it is open."""

CONTENTION = Meaning(ErrorCategory.CONFLICT, execution=_NO)
"""Another writer came first; whether a repeat gets through is open."""

UNTRUSTED = Meaning(ErrorCategory.UNKNOWN, retry=False, execution=_NO)
"""A certificate that does not hold; no repeat mends it."""

DEPRECATED = Meaning(ErrorCategory.BUSINESS, retry=False)
STATE_UNKNOWN = Meaning(ErrorCategory.STATE_UNKNOWN, retry=False)
CRASH = Meaning(ErrorCategory.UNKNOWN)
"""Something broke; nobody knows what."""

BAD_OUTPUT = Meaning(ErrorCategory.UNKNOWN, retry=False, execution=Execution.EXECUTED)
"""The tool ran and its answer is not what it declared."""

UNREADABLE = Meaning(ErrorCategory.PROTOCOL, retry=False)
"""A reply that could not be read; whether the call ran is open."""

OF_CATEGORY: Mapping[ErrorCategory, Meaning] = {
    ErrorCategory.TRANSIENT: OUTAGE,
    ErrorCategory.RATE_LIMITED: RATE_LIMITED,
    ErrorCategory.VALIDATION: VALIDATION,
    ErrorCategory.AMBIGUOUS: AMBIGUOUS,
    ErrorCategory.PERMISSION: PERMISSION,
    ErrorCategory.AUTHENTICATION: AUTHENTICATION,
    ErrorCategory.BUSINESS: BUSINESS,
    ErrorCategory.NOT_FOUND: NOT_FOUND,
    ErrorCategory.CONFLICT: CONFLICT,
    ErrorCategory.STATE_UNKNOWN: STATE_UNKNOWN,
    ErrorCategory.CANCELLED: CANCELLED,
    ErrorCategory.PROTOCOL: PROTOCOL,
    ErrorCategory.OTHER: CRASH,
    ErrorCategory.UNKNOWN: CRASH,
}
"""What a category means when nothing more is known."""
