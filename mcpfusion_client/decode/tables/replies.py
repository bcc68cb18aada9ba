"""Reply codes of mail and file transfer servers: SMTP, LMTP, FTP.

RFC 5321, RFC 959 and, behind a mail reply, the enhanced status of RFC 3463.
"""

from collections.abc import Mapping

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m

REPLIES: Mapping[str, Meaning] = {
    "421": m.OUTAGE,
    "425": m.REFUSED,
    "426": m.LOST,
    "450": m.OUTAGE,
    "451": m.OUTAGE,
    "452": m.DISK_FULL,
    "530": m.AUTHENTICATION,
    "534": m.AUTHENTICATION,
    "535": m.AUTHENTICATION,
    "538": m.AUTHENTICATION,
    "550": m.NOT_FOUND,
    "551": m.NOT_FOUND,
    "552": m.DISK_FULL,
    "553": m.VALIDATION,
    "554": m.BUSINESS,
}
"""Reply code to what it means where no enhanced status says more."""

ENHANCED: Mapping[str, Meaning] = {
    "1": m.NOT_FOUND,
    "1.3": m.VALIDATION,
    "1.7": m.VALIDATION,
    "2": m.PERMISSION,
    "2.2": m.DISK_FULL,
    "2.3": m.VALIDATION,
    "3": m.DISK_FULL,
    "3.4": m.VALIDATION,
    "4": m.REFUSED,
    "5": m.VALIDATION,
    "5.3": m.VALIDATION,
    "6": m.VALIDATION,
    "7": m.PERMISSION,
    "7.8": m.AUTHENTICATION,
    "7.9": m.AUTHENTICATION,
}
"""Subject, or subject and detail, of an enhanced status of class 5."""
