"""What operating systems and databases number: errno, SQLSTATE, vendor codes."""

import errno
from collections.abc import Mapping

from mcpfusion_client.decode.evidence import Meaning
from mcpfusion_client.decode.tables import meanings as m
from mcpfusion_client.decode.tables.wordlist import words

ERRNO_NAMES: Mapping[int, str] = dict(errno.errorcode)

ERRNO_WORDS = frozenset(errno.errorcode.values()) | words(
    """EAI_AGAIN EAI_NODATA EAI_NONAME EAI_FAIL ENOTFOUND ESOCKETTIMEDOUT ESOCKET
    EAUTH ETIMEOUT ESERVFAIL EREFUSED ENODATA EPROTO ECANCELED"""
)
"""Names that Node and libc print; ``ENOTFOUND`` is a host, ``ENOENT`` a file."""

SQLSTATES: Mapping[str, Meaning] = {
    "42P01": m.NOT_FOUND,
    "42S02": m.NOT_FOUND,
    "42703": m.NOT_FOUND,
    "42S22": m.NOT_FOUND,
    "42883": m.NOT_FOUND,
    "3D000": m.NOT_FOUND,
    "3F000": m.NOT_FOUND,
    "42704": m.NOT_FOUND,
    "02000": m.NOT_FOUND,
    "42501": m.PERMISSION,
    "42000": m.VALIDATION,
    "42601": m.VALIDATION,
    "23502": m.VALIDATION,
    "23514": m.VALIDATION,
    "23505": m.CONFLICT,
    "23503": m.CONFLICT,
    "23000": m.CONFLICT,
    "42P07": m.CONFLICT,
    "42710": m.CONFLICT,
    "42701": m.CONFLICT,
    "57014": m.LOST,
    "57P01": m.LOST,
    "57P03": m.BUSY,
    "53300": m.BUSY,
    "55P03": m.BUSY,
    "40001": m.BUSY,
    "40P01": m.BUSY,
    "25006": m.PERMISSION,
    "HYT00": m.LOST,
    "HYT01": m.LOST,
    "53100": m.BUSINESS,
}
SQLSTATE_CLASSES: Mapping[str, Meaning] = {
    "08": m.LOST,
    "22": m.VALIDATION,
    "23": m.CONFLICT,
    "28": m.AUTHENTICATION,
    "40": m.BUSY,
    "42": m.VALIDATION,
    "53": m.OUTAGE,
    "54": m.VALIDATION,
    "57": m.LOST,
}


def sqlstate(state: str) -> Meaning | None:
    """Return what a SQLSTATE means: its own row, else its class."""
    return SQLSTATES.get(state) or SQLSTATE_CLASSES.get(state[:2])


SQL_COMPANIONS = words(
    "routine sqlmessage sqlstate internalquery constraint datatype detail"
)
"""Normalised keys that a driver puts beside a SQLSTATE called ``code``."""

SQL_SEVERITIES = words("ERROR FATAL PANIC")
"""How PostgreSQL spells a severity."""


VENDOR_CODES: Mapping[str, Meaning] = {
    **dict.fromkeys(("1044", "1142", "1227", "ORA-01031", "229"), m.PERMISSION),
    **dict.fromkeys(("1045", "ORA-01017", "18456", "DPY-4001"), m.AUTHENTICATION),
    **dict.fromkeys(("1146", "1049", "1054", "208", "207", "ORA-00942"), m.NOT_FOUND),
    **dict.fromkeys(("ORA-00904", "ORA-01403", "ORA-04043"), m.NOT_FOUND),
    **dict.fromkeys(("1064", "1366", "1292", "ORA-00900", "ORA-00936"), m.VALIDATION),
    **dict.fromkeys(("ORA-00933", "ORA-01400", "ORA-01722"), m.VALIDATION),
    **dict.fromkeys(("1062", "1451", "1452", "2627", "2601", "547"), m.CONFLICT),
    **dict.fromkeys(("E11000", "ORA-00001", "ORA-02291", "ORA-02292"), m.CONFLICT),
    **dict.fromkeys(("1213", "1205", "1040", "1203", "ORA-00060"), m.BUSY),
    **dict.fromkeys(("2002", "2003", "2005", "ORA-12541", "ORA-12514"), m.REFUSED),
    **dict.fromkeys(("2006", "2013", "ORA-03113", "ORA-03114"), m.LOST),
    **dict.fromkeys(("ORA-12170", "ORA-01013", "3024"), m.LOST),
}
"""Numbers that drivers print beside their texts."""
